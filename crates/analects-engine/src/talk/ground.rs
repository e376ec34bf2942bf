//! The ground that an agent works on: which files it may reach, which rules hold, what its tools need.

use std::sync::Arc;

use analects_agent::policy::Mode;
use analects_agent::tools::{For, Seen, Workspace, replace, write_file};
use analects_agent::turn::{Options, Want};
use analects_chat::reading::Measures;
use analects_chat::{loops, mask};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::Trouble;
use analects_world::model::Content;

use super::Hands;
use super::environment::{self, Scene};
use super::skills::Repertoire;
use super::tools::{CommandLimits, Toolbox};
use crate::load_memory::Prepared;
use crate::policies;
use crate::prompt::{Audience, Roster, Writer};
use crate::settings::{Settings, keys};
use crate::{World, codes, skills, talk::agents};

/// Where an agent works, and for whom.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) prepared: &'a Prepared,
    /// The project's folder below `~/.gemini/tmp`.
    pub(super) folder: &'a AbsPath,
    /// The session.
    pub(super) session: &'a str,
    /// Other directories that belong to the workspace, as a person names them.
    pub(super) include: &'a [String],
    /// Whether somebody is there who can be asked.
    pub(super) audience: Audience,
}

impl Ground<'_> {
    /// The tools of whoever talks to a person, and what was wrong on the way to them.
    pub(super) fn toolbox<'h>(
        &self,
        hands: Hands<'h>,
        mode: Mode,
        history: &[Content],
    ) -> (Toolbox<'h>, Vec<Problem>) {
        let (world, settings) = (self.world, &self.prepared.settings);
        let plans = self.folder.join("plans");
        let workspace = self.workspace(&plans);
        let (policy, mut problems) = policies::gather(world, self.prepared, &plans);
        problems.extend(self.missing());
        let (agents, found) = agents::gather(world, self.prepared);
        problems.extend(found);
        let found = skills::find(world, self.prepared);
        let skills = Repertoire::new(&found);
        problems.extend(found.problems);
        let (writer, audience) = (Writer::of(settings), self.audience);
        let roster = Roster::of_talk(writer, audience).tools.into_iter();
        let mut toolbox = Toolbox {
            hands,
            staged: None,
            ignore_files: self.ignore_files(),
            heeds_git: settings.flag(&keys::RESPECT_GIT_IGNORE),
            measures: measures(settings),
            policy,
            mode,
            audience,
            approved: Arc::default(),
            writer,
            roster: roster.map(str::to_owned).collect(),
            agents,
            skills,
            served: Arc::default(),
            subagent: None,
            vars: world.around.vars.clone(),
            seen: Seen::new(),
            plan: plan(world, history, &workspace, &plans),
            plans,
            workspace,
            limits: CommandLimits {
                idle_ms: Some(COMMAND_IDLE_MS),
                whole_ms: None,
            },
        };
        toolbox.list_skills();
        (toolbox, problems)
    }

    /// The options of a dialogue that may have this many turns per prompt.
    pub(super) fn options(&self, max_turns: usize) -> Options {
        let settings = &self.prepared.settings;
        Options {
            session: self.session.to_owned(),
            max_session_turns: None,
            max_turns,
            exempt: mask::EXEMPT.map(str::to_owned).to_vec(),
            loops: loops::Options {
                profile: settings.profile,
                switch: match settings.flag(&keys::context::DISABLE_LOOP_DETECTION) {
                    true => loops::Switch::Off,
                    false => loops::Switch::On,
                },
                exempt_tools: settings.list(&keys::context::LOOP_EXEMPT_TOOLS).to_vec(),
                checks_per_prompt: CHECKS_PER_PROMPT,
            },
            shelf_dir: self.shelf_dir().as_str().to_owned(),
            next_speaker: match settings.flag(&keys::context::SKIP_NEXT_SPEAKER_CHECK) {
                true => Want::No,
                false => Want::Yes,
            },
            plan_file: None,
        }
    }

    /// What stands before the history in every request: where the agent is.
    pub(super) fn opening(&self, roots: &[AbsPath]) -> Content {
        let scene = Scene {
            os: std::env::consts::OS,
            roots,
            temp_dir: None,
            ignore: &self.prepared.discover.ignore,
        };
        environment::turn(self.world, self.prepared, &scene)
    }

    /// Where whole outputs of tools are put. Neither this nor the folder of plans need be there yet: only the way to
    /// them has no links.
    fn shelf_dir(&self) -> AbsPath {
        let name = format!("session-{}", self.session);
        self.folder.join("tool-outputs").join(&name)
    }

    /// The project and what else belongs to it, by where that really lies.
    fn workspace(&self, plans: &AbsPath) -> Workspace {
        let (world, prepared) = (self.world, self.prepared);
        let real = |path: &AbsPath| world.files.real_or_same(path);
        let named = self.include.iter().map(|text| world.around.resolve(text));
        let named = named.map(|dir| real(&dir));
        let mut roots = vec![real(&prepared.root)];
        for dir in prepared.included.iter().cloned().chain(named) {
            if !roots.contains(&dir) {
                roots.push(dir);
            }
        }
        Workspace {
            cwd: world.around.cwd.clone(),
            roots,
            readable: vec![self.shelf_dir(), plans.clone()],
            writable: vec![plans.clone()],
            scope: None,
        }
    }

    /// What somebody named that is no directory.
    fn missing(&self) -> impl Iterator<Item = Problem> {
        let (around, files) = (self.world.around, self.world.files);
        let dirs = self.include.iter().map(|text| around.resolve(text));
        let missing = dirs.filter(|dir| {
            let measured = files.measure(std::slice::from_ref(dir)).pop();
            !matches!(measured, Some(Err(Trouble::IsDir)))
        });
        missing.map(|dir| {
            let message = "there is no such directory, so it adds nothing to the workspace";
            Problem::new(&codes::INCLUDE_MISSING, message).in_file(&dir)
        })
    }

    fn ignore_files(&self) -> Vec<AbsPath> {
        let ignore = &self.prepared.discover.ignore;
        let own = ignore
            .gemini
            .then(|| self.prepared.root.join(".geminiignore"));
        let all = own.into_iter().chain(ignore.custom.iter().cloned());
        all.filter(|file| self.world.files.real(file).is_ok())
            .collect()
    }
}

/// The plan that was written before, in a session that goes on.
fn plan(
    world: &World<'_>,
    history: &[Content],
    workspace: &Workspace,
    plans: &AbsPath,
) -> Option<AbsPath> {
    let mut calls = history.iter().flat_map(Content::calls);
    calls.find_map(|call| {
        let is_writing = [write_file::NAME, replace::NAME].contains(&&*call.name);
        let path = call.args.get("file_path")?.as_str()?;
        let place = workspace.locate(world.files, path, For::Writing);
        let path = place.ok().filter(|_| is_writing)?.path;
        let is_there = path.is_within(plans) && world.files.real(&path).is_ok();
        is_there.then_some(path)
    })
}

/// How much of a file is shown at once.
fn measures(settings: &Settings) -> Measures {
    let usual = Measures::USUAL;
    let lines = settings.count(&keys::context::MAX_FILE_LINES);
    let line_units = settings.count(&keys::context::MAX_LINE_CHARS);
    Measures {
        lines: lines.unwrap_or(usual.lines),
        line_units: line_units.unwrap_or(usual.line_units),
    }
}

/// A command that says nothing for this long is stopped, as in the original.
const COMMAND_IDLE_MS: u64 = 300_000;
/// How often in a prompt another model may be asked whether there is progress.
const CHECKS_PER_PROMPT: usize = 5;

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, surroundings};

    use super::*;
    use crate::load_memory::prepare;
    use crate::verbs::Flags;

    fn roots(tree: &str) -> Vec<String> {
        let desk = FakeDesk::parse(tree);
        let around = surroundings("/w", "/h", &[]);
        let world = desk.world(&around);
        let flags = Flags {
            trust: true,
            ..Flags::default()
        };
        let prepared = prepare(&world, &flags).unwrap();
        let folder = AbsPath::new("/h/.gemini/tmp/w").unwrap();
        let ground = Ground {
            world: &world,
            prepared: &prepared,
            folder: &folder,
            session: "s",
            include: &[],
            audience: Audience::Absent,
        };
        let workspace = ground.workspace(&folder.join("plans"));
        workspace.roots.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_project_cannot_widen_the_workspace() {
        let tree = "//- /w/.git/\n//- /w/lib/\n//- /h/.ssh/id_rsa\n//- /shared/a\n//- /mine/b\n\
                    //- /w/.gemini/settings.json\n{\"context\": {\"includeDirectories\": [\"/\", \"/h/.ssh\", \"/shared\", \"lib\"]}}\n\
                    //- /h/.gemini/settings.json\n{\"context\": {\"includeDirectories\": [\"/mine\"]}}\n\
                    //- /h/.gemini/trustedFolders.json\n{\"/shared\": \"TRUST_FOLDER\"}\n";
        assert_eq!(roots(tree), ["/w", "/mine", "/w/lib"]);
    }
}
