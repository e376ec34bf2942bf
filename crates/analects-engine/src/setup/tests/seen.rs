//! What `status` sees.

use super::*;

impl Bench {
    fn seen(&self, host: Agent, scope: Scope) -> Seen {
        let seen = status(&self.desk.world(&self.around), &self.flags).unwrap();
        let mut seen = seen.into_iter();
        seen.find(|seen| (seen.host, seen.scope) == (host, scope))
            .unwrap()
    }
}

const VERSION: &str = concat!("analects ", env!("CARGO_PKG_VERSION"), "\n");

#[test]
fn nothing_is_wired_at_first() {
    let bench = Bench::new("");
    let seen = status(&bench.desk.world(&bench.around), &bench.flags).unwrap();
    assert_eq!(seen.len(), 6, "every host in every scope");
    for seen in seen {
        assert_eq!((seen.mcp, seen.hooks.len()), (State::Absent, 5));
        assert!(seen.hooks.iter().all(|(_, state)| *state == State::Absent));
        assert_eq!((seen.answers, seen.problem), (None, None));
    }
}

#[test]
fn what_is_wired_is_asked_whether_it_answers() {
    let bench = Bench::new("");
    for host in Agent::ALL {
        bench.install(host);
        let seen = bench.seen(host, Scope::User);
        assert_eq!(seen.mcp, State::Wired);
        assert!(seen.hooks.iter().all(|(_, state)| *state == State::Wired));
        assert_eq!(seen.answers, Some(false));
        assert_eq!(
            seen.problem.as_deref(),
            Some("`/opt/bin/analects` does not answer: /opt/bin/analects failed")
        );
    }
    bench.desk.answer("/h", VERSION);
    let seen = bench.seen(Agent::Codex, Scope::User);
    assert_eq!((seen.answers, seen.problem), (Some(true), None));
    bench.desk.answer("/h", "analects 0.0.1\n");
    let seen = bench.seen(Agent::Codex, Scope::User);
    assert_eq!(seen.answers, Some(true));
    assert!(
        seen.problem
            .unwrap()
            .starts_with("`/opt/bin/analects` is version 0.0.1, this is ")
    );
    bench.desk.answer("/h", "GNU bash\n");
    assert_eq!(bench.seen(Agent::Codex, Scope::User).answers, Some(false));
}

#[test]
fn another_path_is_stale() {
    let mut bench = Bench::new("");
    bench.install(Agent::Claude);
    bench.around.binary = analects_world::AbsPath::new("/new/analects").ok();
    let seen = bench.seen(Agent::Claude, Scope::User);
    assert_eq!(seen.mcp, State::Stale);
    assert!(seen.hooks.iter().all(|(_, state)| *state == State::Stale));
}

#[test]
fn programs_of_a_folder_that_is_not_trusted_are_not_run() {
    let mut bench = Bench::new(
        "//- /w/app/.mcp.json\n{\"mcpServers\": {\"analects\": {\"command\": \"/w/app/evil\"}}}\n",
    );
    bench.desk.answer("/w/app", VERSION);
    assert_eq!(
        bench.seen(Agent::Claude, Scope::Project).answers,
        Some(true)
    );
    bench.flags.trust = false;
    let seen = bench.seen(Agent::Claude, Scope::Project);
    assert_eq!((seen.mcp, seen.answers), (State::Stale, None));
}

#[test]
fn a_file_that_only_we_can_read_is_told() {
    let bench = Bench::new(
        "//- /h/.claude/settings.json\n{} // mine\n//- /h/.gemini/settings.json\n{\"a\": 1,}\n",
    );
    let said = "Claude Code cannot read `/h/.claude/settings.json`: there is a comment or a comma too many";
    assert_eq!(bench.install(Agent::Claude).notes, [said]);
    assert!(
        bench
            .seen(Agent::Claude, Scope::User)
            .problem
            .unwrap()
            .starts_with(said)
    );
    let said = "Gemini CLI cannot read `/h/.gemini/settings.json`: there is a comma too many";
    assert_eq!(
        bench.seen(Agent::Gemini, Scope::User).problem.unwrap(),
        said
    );
}

#[test]
fn a_byte_order_mark_is_called_by_its_name() {
    let bench = Bench::with("/h/.claude/settings.json", "\u{feff}{}");
    let said =
        "Claude Code cannot read `/h/.claude/settings.json`: it begins with a byte order mark";
    assert_eq!(bench.install(Agent::Claude).notes, [said]);
}

#[test]
fn switches_and_mistakes_are_told() {
    let bench = Bench::new(
        "//- /h/.gemini/settings.json\n{\"hooksConfig\": {\"disabled\": [\"analects\"]}}\n//- /h/.codex/config.toml\n[features]\nhooks = false\n//- /h/.claude/settings.json\n{\n",
    );
    bench.desk.answer("/h", VERSION);
    assert_eq!(
        bench.seen(Agent::Gemini, Scope::User).problem,
        None,
        "not wired yet"
    );
    bench.install(Agent::Gemini);
    bench.install(Agent::Codex);
    let problem = |host| bench.seen(host, Scope::User).problem.unwrap();
    assert_eq!(
        problem(Agent::Gemini),
        "`hooksConfig.disabled` names our hooks"
    );
    assert_eq!(
        problem(Agent::Codex),
        "`features.hooks` switches all hooks off"
    );
    assert!(problem(Agent::Claude).starts_with("cannot read `/h/.claude/settings.json`, line 1: "));
}
