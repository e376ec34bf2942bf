//! Lines that try to run more than they show.

use std::fmt::Write as _;

use analects_text::shell_line::Unsure;
use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::policy::pattern::Purse;

/// The commands of a line with `·` between their words; `?` for not sure.
fn shown(line: &str) -> String {
    let Ok(line) = lex(line) else {
        return "?".to_owned();
    };
    let commands = line.commands.iter().map(|command| {
        let words = command.words.iter().map(|word| match word.stands_for {
            StandsFor::Itself => word.text.clone(),
            StandsFor::Names => format!("{}*", word.text),
            StandsFor::Anything => format!("{}…", word.text),
        });
        let sets = if command.sets_variables { "= " } else { "" };
        sets.to_owned() + &words.collect::<Vec<_>>().join("·")
    });
    let redirects = if line.redirects { " >" } else { "" };
    commands.collect::<Vec<_>>().join(" | ") + redirects
}

#[test]
fn lines_are_taken_apart_or_given_up() {
    let lines = [
        "git status",
        "  git   status\t-s ",
        "git status && rm -rf /",
        "git status || rm x; ls & pwd",
        "git status | tee x |& cat",
        "git status\nrm x\n\n",
        "git status &&\n  rm x",
        "git status;",
        "git status &",
        "(git status; (rm x)) > out",
        "git log $(rm x)",
        "git log \"$(rm x; echo \"$(id)\")\"",
        "git log `rm x`",
        "git log \"`rm \"x\"`\"",
        "git log '$(rm x)' '`rm x`'",
        "git log \"\\$(rm x)\" \\$HOME \\`",
        "diff <(rm x) >(id)",
        "git log > x",
        "git log 2>/dev/null >&2 2>&1 2>&-",
        "git log >/dev/nullx",
        "git log >'/dev/null'",
        "git log > /dev/null/../../x",
        "git log >$X",
        "git log <x >>y >|z <>w",
        "git log >& file",
        "git \"sta\"tus 'a b' a\\ b \"a\\\"b\" ''",
        "\"rm\" x",
        "r''m x",
        "\\rm x",
        "r\\\nm x",
        "/bin/rm x",
        "FOO=1 git status",
        "FOO=$(rm x) BAR='a b' git status",
        "FO\\\nO=1 rm x",
        "FOO=1",
        "A+=b rm x",
        "FO\"O\"=1 rm x",
        "git log $X ${X} \"$X\" $1 $? $$",
        "git add *.rs ~/x {a,b} a?",
        "echo \"cost: $\" \"5$ off\" $ a#b x=y =z",
        "[ -f x ] && ls",
        "find . -exec rm {} \\;",
        "git commit -m 'a; rm x && b'",
        "git commit -m \"a\nb\"",
        "echo 'ö' ö",
    ];
    let mut told = String::new();
    for line in lines {
        writeln!(told, "{:?} → {}", line, shown(line)).unwrap();
    }
    expect![[r#"
        "git status" → git·status
        "  git   status\t-s " → git·status·-s
        "git status && rm -rf /" → git·status | rm·-rf·/
        "git status || rm x; ls & pwd" → git·status | rm·x | ls | pwd
        "git status | tee x |& cat" → git·status | tee·x | cat
        "git status\nrm x\n\n" → git·status | rm·x
        "git status &&\n  rm x" → git·status | rm·x
        "git status;" → git·status
        "git status &" → git·status
        "(git status; (rm x)) > out" → git·status | rm·x >
        "git log $(rm x)" → rm·x | git·log·…
        "git log \"$(rm x; echo \"$(id)\")\"" → rm·x | id | echo·… | git·log·…
        "git log `rm x`" → rm·x | git·log·…
        "git log \"`rm \"x\"`\"" → rm·x | git·log·…
        "git log '$(rm x)' '`rm x`'" → git·log·$(rm x)·`rm x`
        "git log \"\\$(rm x)\" \\$HOME \\`" → git·log·$(rm x)·$HOME·`
        "diff <(rm x) >(id)" → rm·x | id | diff >
        "git log > x" → git·log >
        "git log 2>/dev/null >&2 2>&1 2>&-" → git·log
        "git log >/dev/nullx" → git·log >
        "git log >'/dev/null'" → git·log
        "git log > /dev/null/../../x" → git·log >
        "git log >$X" → git·log >
        "git log <x >>y >|z <>w" → git·log >
        "git log >& file" → git·log >
        "git \"sta\"tus 'a b' a\\ b \"a\\\"b\" ''" → git·status·a b·a b·a"b·
        "\"rm\" x" → rm·x
        "r''m x" → rm·x
        "\\rm x" → rm·x
        "r\\\nm x" → rm·x
        "/bin/rm x" → /bin/rm·x
        "FOO=1 git status" → = git·status
        "FOO=$(rm x) BAR='a b' git status" → rm·x | = git·status
        "FO\\\nO=1 rm x" → = rm·x
        "FOO=1" → = 
        "A+=b rm x" → = rm·x
        "FO\"O\"=1 rm x" → FOO=1·rm·x
        "git log $X ${X} \"$X\" $1 $? $$" → git·log·…·…·…·…·…·…
        "git add *.rs ~/x {a,b} a?" → git·add·*.rs*·~/x*·{a,b}*·a?*
        "echo \"cost: $\" \"5$ off\" $ a#b x=y =z" → echo·cost: $·5$ off·$·a#b·x=y·=z*
        "[ -f x ] && ls" → [·-f·x·] | ls
        "find . -exec rm {} \\;" → find·.·-exec·rm·{}*·;
        "git commit -m 'a; rm x && b'" → git·commit·-m·a; rm x && b
        "git commit -m \"a\nb\"" → git·commit·-m·a
        b
        "echo 'ö' ö" → echo·ö·ö
    "#]]
    .assert_eq(&told);
}

#[test]
fn what_could_hide_a_command_is_never_sure() {
    let deep = format!("{}ls{}", "(".repeat(30), ")".repeat(30));
    let deep_dollars = format!("echo {}ls{}", "$(".repeat(3000), ")".repeat(3000));
    let many = "ls;".repeat(300);
    let long = format!("echo {}", "a".repeat(70_000));
    let lines = [
        "",
        " \n ",
        ";",
        "; ls",
        "ls ;; ls",
        "&& ls",
        "ls &&",
        "ls |",
        "ls & & ls",
        "ls ; & ls",
        "ls )",
        "( ls",
        "()",
        "(ls) ls",
        "ls (x)",
        "f() { rm x; }",
        "f () rm x",
        "if true; then rm x; fi",
        "for i in a; do rm x; done",
        "while rm x; do :; done",
        "case x in x) rm x;; esac",
        "{ rm x; }",
        "! rm x",
        "time rm x",
        "[[ -f x ]] && rm x",
        "function f { rm x; }",
        "coproc rm x",
        "cat <<EOF\n$(rm x)\nEOF",
        "cat <<'EOF'\nrm x\nEOF",
        "cat <<< \"$(rm x)\"",
        "echo $'a\\'; rm x #'",
        "echo $\"a\"",
        "echo $((1+$(rm x)))",
        "echo $[1]",
        "((x))",
        "echo ${x:-$(rm x)}",
        "echo ${x@P}",
        "echo ${",
        "echo \"${x",
        "echo `rm \\`id\\``",
        "echo `",
        "echo \"",
        "echo '",
        "echo \\",
        "echo \"$\\\n(rm x)\"",
        "echo $\\\n(rm x)",
        "echo <\\\n(rm x)",
        "git status # ; rm x",
        "git status\n# x\nrm x",
        "$X rm",
        "\"$(which rm)\" x",
        "`which rm` x",
        "r?m x",
        "{rm,x}",
        "~/bin/rm x",
        "=rm x",
        "*",
        "\"\" x",
        "echo a\rrm x",
        "echo a\0rm x",
        "echo\u{b}x",
        "echo\u{a0}x",
        "echo \u{1b}[2K",
        "git status &> x",
        "git status &>/dev/null rm x",
        "git status &>> x",
        "ls >",
        "ls > > x",
        "ls > ; rm x",
        "ls >#x",
        "a=(rm x)",
        "echo @(a|b)",
        "ls > (x)",
        &deep,
        &deep_dollars,
        &many,
        &long,
    ];
    for line in lines {
        assert_eq!(lex(line).map(|_| ()), Err(Unsure), "{line:?}");
    }
}

/// Whether every command of a line surely begins with one of the prefixes, and whether one possibly does.
fn fits(prefixes: &[&str], line: &str) -> (bool, bool) {
    let rule = CommandRule::prefixes(prefixes).unwrap();
    let Ok(taken) = lex(line) else {
        let part = Part::Unsure;
        return (
            rule.surely_fits(&part),
            rule.possibly_fits(&part, Some(line)),
        );
    };
    let redirects = taken.redirects;
    let parts: Vec<_> = taken
        .commands
        .iter()
        .map(|command| Part::Simple { command, redirects })
        .collect();
    (
        parts
            .iter()
            .all(|part| rule.surely_fits(part) && part.is_covered(true, false)),
        parts
            .iter()
            .any(|part| rule.possibly_fits(part, Some(line))),
    )
}

#[test]
fn a_prefix_covers_only_what_it_names() {
    for line in [
        "git status",
        "git status -s $X",
        "'git' \"status\"",
        "git status && git status",
        "(git status) | git status",
        "git status 2>/dev/null",
    ] {
        assert!(fits(&["git status"], line).0, "{line}");
    }
    for line in [
        "git",
        "git statusx",
        "gitstatus",
        "git\\ status",
        "'git status'",
        "/tmp/git status",
        "./git status",
        "git -c core.pager=x status",
        "git $X",
        "git stat*",
        "X=1 git status",
        "LD_PRELOAD=x git status",
        "env git status",
        "git status && rm x",
        "git status; rm x",
        "git status $(rm x)",
        "git status \"`rm x`\"",
        "git status <(rm x)",
        "git status > ~/.bashrc",
        "git status | tee x",
        "git status & rm x",
        "git status\nrm x",
        "eval git status",
        "sh -c 'git status'",
        "git status <<EOF\nEOF",
        "exec git status",
        "",
    ] {
        assert!(!fits(&["git status"], line).0, "{line}");
    }
}

#[test]
fn a_prefix_that_denies_is_found_wherever_it_hides() {
    for line in [
        "rm -rf /",
        "ls && rm x",
        "ls; (cd /; rm x)",
        "echo $(rm x)",
        "echo \"`rm x`\"",
        "/bin/rm x",
        "\\rm x",
        "r''m x",
        "\"rm\" x",
        "FOO=1 rm x",
        "FO\\\nO=1 rm x",
        "sudo rm x",
        "sudo -u root rm x",
        "env A=1 /bin/rm x",
        "ls | xargs -0 rm -f",
        "sh -c 'rm x'",
        "bash -c \"ls; rm x\"",
        "bash -c\"rm x\"",
        "eval \"rm x\"",
        "exec rm x",
        "nohup timeout 5 rm x",
        "find . -exec rm {} \\;",
        "python3 -c 'import os; os.system(\"rm x\")'",
        "if true; then rm x; fi",
        "for i in *; do r\"m\" $i; done",
        "cat <<EOF | sh\nrm x\nEOF",
        "X=rm; $X y",
        "ls # ; rm x",
        "git log > x; { rm x; }",
        "$X nof",
        "r${z}m nof",
        "/bin/r? nof",
        "echo rm nof | sh",
        "echo 'rm nof' | sudo bash -x",
        "trap 'rm nof' EXIT",
    ] {
        assert!(fits(&["rm"], line).1, "{line}");
    }
    for line in [
        "git rm x",
        "echo 'do not rm this'",
        "rmdir x",
        "ls rm",
        "git commit -m 'rm x'",
        "if true; then rmdir x; fi",
        "sudo rmdir x",
        "ls | grep rm | xargs cat",
        "grep rm x | python3 count.py",
        "py=python3; $py x.py",
    ] {
        assert!(!fits(&["rm"], line).1, "{line}");
    }
    // What a variable says could be the rest of the prefix; names of files are not.
    assert!(fits(&["git push"], "git $X").1);
    assert!(fits(&["git push"], "git $(x) y").1);
    for line in [
        "g=git; $g push",
        "\"$X\" push",
        "git ${X:-push}",
        "git pus[h]",
        "git {push,origin}",
    ] {
        assert!(fits(&["git push"], line).1, "{line}");
    }
    assert!(!fits(&["rm -rf"], "rm *.o").1);
    assert!(!fits(&["git push"], "git status push").1);
}

#[test]
fn expressions_begin_where_a_command_begins() {
    let rule = |text: &str| CommandRule::Regex(Pattern::new(text, &mut Purse::default()).unwrap());
    let surely = |text: &str, line: &str| {
        let taken = lex(line).unwrap();
        let redirects = taken.redirects;
        let mut parts = taken.commands.iter();
        parts.all(|command| rule(text).surely_fits(&Part::Simple { command, redirects }))
    };
    assert!(surely("git (status|log)", "git log -1 && git status"));
    assert!(!surely("git (status|log)", "echo git log"));
    assert!(!surely("git (status|log)", "git log; rm x"));
    assert!(surely(r#"echo \\"a"#, "echo \"a\""), "as it stands in JSON");
    assert!(surely(r#"echo "a"#, "echo \"a\""));
    let possibly = |text: &str, line: &str| rule(text).possibly_fits(&Part::Unsure, Some(line));
    assert!(possibly("rm .*-rf", "if x; then rm a -rf; fi"));
    assert!(!possibly("rm .*-rf", "if x; then ls; fi"));
    let denied = |line: &str| {
        let taken = lex(line).unwrap();
        let mut parts = taken.commands.iter();
        parts.any(|command| {
            let part = Part::Simple {
                command,
                redirects: false,
            };
            rule(r"rm\s+-rf").possibly_fits(&part, Some(line))
        })
    };
    for line in [
        "/bin/rm -rf nof",
        "rm \"-rf\" nof",
        "r''m  -rf x",
        "sudo /bin/rm '-rf' x",
        "echo rm -rf x | sh",
    ] {
        assert!(denied(line), "{line}");
        assert!(
            !surely(r"rm\s+-rf", line) || line.starts_with("rm -rf"),
            "{line}"
        );
    }
    assert!(!denied("echo rm -rf x"));
    assert!(possibly(r"rm\s+-rf", "if x; then /bin/rm \"-rf\" y; fi"));
}

#[test]
fn carriers_are_sorted_for_the_search() {
    assert!(CARRIERS.is_sorted());
}

proptest! {
    /// Whatever follows a separator outside quotes is a command of its own, or nobody is sure.
    #[test]
    fn no_command_is_overlooked(
        before in r#"[a-z ='"$(){}\\`<>|&;#*\n-]{0,24}"#,
        separator in prop::sample::select(vec!["; ", " && ", " || ", " | ", "\n", " & "]),
    ) {
        let line = format!("{before}y{separator}zap x");
        if let Ok(taken) = lex(&line) {
            // Sure it may only be if the quotes before are closed, so that the end is read as what it is.
            let is_there = taken.commands.iter().any(|command| command.words.first().is_some_and(|word| word.text == "zap"));
            prop_assert!(is_there, "{line:?}: {taken:?}");
        }
    }

    #[test]
    fn any_text_gets_an_answer(text in ".{0,200}", odd in r#"[$(){}\\`'"<>|&;#!~=*\n a]{0,60}"#) {
        for line in [text, odd] {
            let _ = fits(&["a"], &line);
            if let Ok(taken) = lex(&line) {
                prop_assert!(!taken.commands.is_empty());
                for command in taken.commands {
                    prop_assert!(line.contains(&command.source));
                }
            }
        }
    }
}
