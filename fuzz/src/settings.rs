//! Settings files of every scope.

use analects_engine::settings::keys::{Setting, SettingAuthority, TighteningRule};
use analects_engine::settings::{Scope, Settings, Workspace, read, resolve};
use analects_testkit::{FakeDesk, FakeFiles, Fixture, surroundings};
use analects_text::problem::Problem;

use crate::sheet::{Part, check_line, parts};

/// Which part of an input is which file.
const FILES: [(&str, &str); 6] = [
    ("user", "/h/.gemini/settings.json"),
    ("own", "/h/.gemini/analects.json"),
    ("project", "/w/.gemini/settings.json"),
    ("project-own", "/w/.gemini/analects.json"),
    ("system", "/etc/gemini-cli/settings.json"),
    ("defaults", "/etc/gemini-cli/system-defaults.json"),
];

/// Bad files are problems; the same files always say the same; a project sets nothing that guards against it.
pub fn settings(data: &[u8]) {
    let mut parts = parts(data);
    if let Some(first) = parts.first_mut() {
        "user".clone_into(&mut first.name);
    }
    let (all, problems) = settled(&parts, |_| true);
    let (again, _) = settled(&parts, |_| true);
    assert_eq!(values(&all), values(&again));
    for problem in &problems {
        let path = problem.path.as_deref().unwrap_or_default();
        if let Some(part) = part_at(&parts, path) {
            check_line(problem, &part.bytes);
        }
    }
    let (alone, _) = settled(&parts, |name| !name.starts_with("project"));
    assert_eq!(all.profile, alone.profile);
    for (with, without) in all.all().iter().zip(alone.all()) {
        let name = with.key.name;
        match with.key.authority {
            SettingAuthority::UserOnly
            | SettingAuthority::WorkspaceMayTighten(TighteningRule::OwnItems) => {
                assert_ne!(with.origin.scope, Scope::Workspace, "{name}");
                assert_eq!(shown(&with.value), shown(&without.value), "{name}");
            }
            SettingAuthority::WorkspaceMayTighten(TighteningRule::SmallerNumber) => {
                let largest = |value: &Setting| match value {
                    Setting::Count(count) => *count,
                    _ => usize::MAX,
                };
                assert!(largest(&with.value) <= largest(&without.value), "{name}");
            }
            SettingAuthority::WorkspaceMayTighten(_) | SettingAuthority::Workspace => {}
        }
        if let Setting::List(_) = &with.value {
            let Setting::List(without) = &without.value else {
                continue;
            };
            let told = all.list_without_project(with.key).unwrap();
            assert_eq!(told, without.as_slice(), "{}", with.key.name);
        }
    }
}

fn part_at<'a>(parts: &'a [Part], path: &str) -> Option<&'a Part> {
    let (name, _) = FILES.iter().find(|(_, file)| *file == path)?;
    parts.iter().rev().find(|part| part.name == *name)
}

fn settled(parts: &[Part], is_wanted: impl Fn(&str) -> bool) -> (Settings, Vec<Problem>) {
    let mut fixture = Fixture::default().file("/w/.git/HEAD", "");
    for part in parts {
        if let Some((_, path)) = FILES.iter().find(|(name, _)| *name == part.name)
            && is_wanted(&part.name)
        {
            fixture = fixture.file(path, &part.bytes);
        }
    }
    let desk = FakeDesk::new(FakeFiles::new(&fixture));
    let around = surroundings("/w", "/h", &[("NAME", "TEAM")]);
    let world = desk.world(&around);
    let (files, mut problems) = read(&world, Workspace::Counts);
    let (settings, found) = resolve(&world, &files);
    problems.extend(found);
    (settings, problems)
}

fn values(settings: &Settings) -> Vec<String> {
    let all = settings.all().iter();
    all.map(|it| format!("{} {:?}", shown(&it.value), it.origin))
        .collect()
}

/// A value as text: numbers that are none equal themselves here.
fn shown(value: &Setting) -> String {
    format!("{value:?}")
}
