//! Words that nobody knows for sure.

use expect_test::expect;
use proptest::prelude::*;

use super::*;

fn could(prefix: &str, line: &str) -> bool {
    let prefix: Vec<_> = prefix.split(' ').map(str::to_owned).collect();
    let commands = commands(line);
    commands.iter().any(|words| could_begin(&prefix, words))
}

#[test]
fn what_a_word_could_be() {
    for (word, wanted, could_be) in [
        ("push", "push", true),
        ("pus[h]", "push", true),
        ("p*", "push", true),
        ("p?sh", "push", true),
        ("p?h", "push", false),
        ("p${x}h", "push", true),
        ("$x", "push", true),
        ("\"$x\"", "push", true),
        ("${x:-push}", "push", true),
        ("$'\\x70ush'", "push", true),
        ("'$x'", "push", false),
        ("'p*'", "push", false),
        ("*.o", "push", false),
        ("*", "-rf", false),
        ("$x", "-rf", true),
        ("-r$x", "-rf", true),
    ] {
        let commands = commands(word);
        assert_eq!(commands[0][0].could_be(wanted), could_be, "{word} {wanted}");
    }
}

#[test]
fn a_line_is_read_to_its_end_whatever_it_says() {
    let lines = [
        "a {b,c$d}e; f",
        "X=1 Y=$z a > out 2>&1 < in",
        "if a; then b; else c; fi",
        "for i in $x; do a \"$i\"; done",
        "case $x in y) a;; *) b;; esac",
        "f() { a; }; f",
        "function f { a; }",
        "a $(b `c`) <(d) ${e:-$(f)}",
        "cat <<'EOF' > x\n$(a)\nb\nEOF\nc",
        "cat <<-EOF\n\t$(a)\n\tEOF\nc",
        "a <<< \"$b\"; c",
        "[[ $x == y ]] && a",
        "(( x + 1 )); a $((1 + 2)) # $x b",
        "X=(a $b); c",
        "a {} {1..3} [ ]",
        "py=.venv/bin/python; $py -m x; ${py} y",
        "py=x; read py; $py",
        "a 'b",
        "a \"$(b",
        "${",
    ];
    let mut told = String::new();
    for line in lines {
        let commands = commands(line);
        let spelt: Vec<_> = commands
            .iter()
            .map(|words| spelt(words)[0].clone())
            .collect();
        told.extend([&format!("{line:?} → "), &*spelt.join(" | "), "\n"]);
    }
    expect![[r#"
        "a {b,c$d}e; f" → a be c$e | f
        "X=1 Y=$z a > out 2>&1 < in" → a
        "if a; then b; else c; fi" → a | b | c
        "for i in $x; do a \"$i\"; done" → a $
        "case $x in y) a;; *) b;; esac" → a | b
        "f() { a; }; f" → f | a | f
        "function f { a; }" → a
        "a $(b `c`) <(d) ${e:-$(f)}" → c | b $ | d | f | a $ $
        "cat <<'EOF' > x\n$(a)\nb\nEOF\nc" → cat | c
        "cat <<-EOF\n\t$(a)\n\tEOF\nc" → cat | a | c
        "a <<< \"$b\"; c" → a | c
        "[[ $x == y ]] && a" → a
        "(( x + 1 )); a $((1 + 2)) # $x b" → a $
        "X=(a $b); c" → c
        "a {} {1..3} [ ]" → a {} {1..3} [ ]
        "py=.venv/bin/python; $py -m x; ${py} y" → .venv/bin/python -m x | .venv/bin/python y
        "py=x; read py; $py" → read py | $
        "a 'b" → a b
        "a \"$(b" → b | a $
        "${" → $
    "#]]
    .assert_eq(&told);
}

#[test]
fn what_could_be_denied_is_found() {
    for line in [
        "g=git; $g push",
        "\"$X\" push",
        "git ${X:-push}",
        "git pus[h]",
        "git {push,origin}",
        "if x; then $g push; fi",
        "sudo $g push",
        "env A=1 git pu$x",
        "$X",
    ] {
        assert!(could("git push", line), "{line}");
    }
    for line in [
        "$X nof",
        "r${z}m nof",
        "/bin/r? nof",
        "$HOME/rm nof",
        "{rm,nof}",
        "timeout 5 $X nof",
        "echo $(r${z}m nof)",
    ] {
        assert!(could("rm", line), "{line}");
    }
}

#[test]
fn ordinary_lines_are_not_suspected() {
    for line in [
        "$PYTHON -m pytest",
        "\"$EDITOR\" notes.md",
        "git status $X push",
        "git -C \"$dir\" status",
        "for f in *.rs; do wc -l \"$f\"; done",
        "cat > run.sh <<'EOF'\n$CC x.c\nEOF",
        "cd \"$(git rev-parse --show-toplevel)\" && make {a,b}",
    ] {
        assert!(!could("git push", line), "{line}");
    }
    for line in [
        "py=.venv/bin/python; $py -m pytest",
        "$HOME/bin/tool x",
        "if [ -n \"$X\" ]; then ls $X; fi",
        "case \"$1\" in a) ls;; $x) pwd;; *) ls;; esac",
        "[[ $x == rm ]] && ls",
        "X=($a rm); ls \"${X[@]}\"",
        "ls * {a,b} # rm",
        "xargs -I{} cp {} $DEST",
        "python3 \"$script\" *",
    ] {
        assert!(!could("rm", line), "{line}");
    }
    assert!(!could("rm -rf", "rm *.o *"));
}

proptest! {
    #[test]
    fn any_line_is_read(text in ".{0,200}", odd in r#"[$(){}\\`'"<>|&;#!~=*,\[\]\n ax]{0,80}"#) {
        for line in [text, odd] {
            let _ = could("a b", &line);
        }
    }
}
