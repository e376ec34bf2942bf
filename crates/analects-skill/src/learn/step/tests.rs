//! Lines, and the steps that they are.

use super::*;

fn line(step: &Step) -> String {
    let names = step.variables.iter().map(|name| format!("{name}=<value> "));
    names.collect::<String>() + &step.command()
}

fn shown(line_given: &str) -> Vec<String> {
    let taken = steps(line_given, Some("/w/app"));
    let show = |step: &Step| {
        let dir = step
            .dir
            .as_ref()
            .map(|dir| format!("{dir}: "))
            .unwrap_or_default();
        let common = if step.class == Class::Common {
            " (common)"
        } else {
            ""
        };
        let check = if step.is_check { " (check)" } else { "" };
        format!("{dir}{}{common}{check}", line(step))
    };
    taken.steps.iter().map(show).collect()
}

#[test]
fn a_line_is_its_commands_without_what_only_looks() {
    assert_eq!(
        shown("cd /w/app/web && ls -la && FOO=1 pnpm run gen:api --env=prod 2>&1 | tail -5"),
        ["web: FOO=<value> pnpm run gen:api --env=prod"]
    );
    assert_eq!(
        shown("bash ./scripts/seed.sh users"),
        ["bash ./scripts/seed.sh users"]
    );
    assert_eq!(
        shown("sudo timeout 30 /w/app/tools/run it"),
        ["tools/run it"]
    );
    assert_eq!(
        shown("git status; git add -A && git commit -m 'two words'"),
        ["git add -A (common)", "git commit -m <text> (common)"]
    );
    assert_eq!(
        shown("just smoke-test && cargo build"),
        ["just smoke-test (check)", "cargo build (check)"]
    );
    assert_eq!(
        shown("curl -f localhost:80/healthz"),
        ["curl -f localhost:80/healthz (common) (check)"]
    );
    assert_eq!(
        shown("foo --help; bar --version; python3 -c 'x'"),
        ["python3 -c x (common)"]
    );
    assert_eq!(shown("for x in a b; do rm $x; done"), Vec::<String>::new());
}

#[test]
fn what_is_read_written_and_fed_belongs_to_the_command() {
    for (line, wanted) in [
        (
            "psql -h db.internal app < /w/app/db/fix.sql 2>/dev/null",
            &["psql -h db.internal app < db/fix.sql"][..],
        ),
        (
            "cd web && ./gen.sh > api.json 2> log && ./pack.sh api.json",
            &["web: ./gen.sh > api.json 2> log", "web: ./pack.sh api.json"],
        ),
        (
            "./dump.sh --prod | ./load.sh | tail -3",
            &["./dump.sh --prod | ./load.sh"],
        ),
        ("cat fix.sql | psql app", &["cat fix.sql | psql app"]),
        ("./gen.sh | sort > a.txt", &["./gen.sh | sort > a.txt"]),
        (
            "cd ops && ./ping.sh eu || ./restart.sh eu",
            &["ops: ./ping.sh eu || ./restart.sh eu"],
        ),
        (
            "./ping.sh | grep -q ok || ./restart.sh; make x",
            &["./ping.sh | grep -q ok || ./restart.sh", "make x"],
        ),
        (
            "./a.sh || true; cd b || exit 1; ./c.sh || echo no",
            &["./a.sh", "b: ./c.sh"],
        ),
        ("./a.sh 2>&1 | tee log && ./b.sh", &["./a.sh", "./b.sh"]),
        // What cannot be told as one command is not told at all.
        ("(./a.sh; ./b.sh) | ./c.sh", &[]),
        ("(cd web && ./a.sh) > log", &[]),
        ("./a.sh <(./b.sh)", &[]),
        ("bash -c './a.sh' | ./b.sh", &[]),
        ("./a.sh | X=1 ./b.sh", &[]),
        ("./a.sh || cd b && ./c.sh", &[]),
    ] {
        assert_eq!(shown(line), wanted, "{line}");
    }
    assert_eq!(shown("bash -lc './a.sh > x' | tail"), ["./a.sh > x"]);
}

#[test]
fn values_of_secret_options_and_variables_are_not_kept() {
    assert_eq!(
        shown("API_KEY=abc deploy --token hunter2 --auth-token=xyz $REGION a"),
        ["API_KEY=<value> deploy --token [REDACTED] --auth-token=[REDACTED] <value> a"]
    );
    for (line, wanted) in [
        (
            "keytool -list -keystore a.jks -storepass changeit77 -keypass x9",
            "keytool -list -keystore a.jks -storepass [REDACTED] -keypass [REDACTED]",
        ),
        (
            "smbclient -U bob%Sommer2024 //h/s -c ls",
            "smbclient -U [REDACTED] //h/s -c ls",
        ),
        (
            "smbclient -Ubob%Sommer //h/s",
            "smbclient -U[REDACTED] //h/s",
        ),
        ("kestrel --user=bob:sommer x", "kestrel --user=[REDACTED] x"),
        (
            "podman run -u 1000:1000 pond",
            "podman run -u 1000:1000 pond",
        ),
    ] {
        assert_eq!(shown(line), [wanted], "{line}");
    }
}
