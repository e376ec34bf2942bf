//! Facts that clash, and facts that only look alike.

use super::*;

fn clash(one: &str, other: &str) -> Option<Clash> {
    let there = Claim::of(one).clash(&Claim::of(other));
    let back = Claim::of(other).clash(&Claim::of(one));
    assert_eq!(there.is_some(), back.is_some(), "{one} / {other}");
    there
}

#[test]
fn what_cannot_both_hold_clashes() {
    for (one, other) in [
        ("Use tabs", "Use spaces"),
        ("I prefer tabs", "Use spaces"),
        ("Always squash commits", "Never squash commits"),
        (
            "Deploys happen on Fridays",
            "Deploys never happen on Fridays",
        ),
        ("The port is 5432", "The port is 5433"),
        (
            "Postgres listens on port 5432",
            "Postgres listens on port 5433",
        ),
        ("This project needs Node 18", "This project needs Node 20"),
        (
            "The product owner is Marta; ask her about scope",
            "The product owner is Lena",
        ),
        ("Deploys happen on Fridays", "Deploys happen on Mondays"),
        ("We use pnpm", "We use yarn"),
        ("数据库端口是 5432", "数据库端口是 5433"),
        ("产品经理是周敏", "产品经理是李雷"),
        ("缩进用空格", "缩进用制表符"),
        ("提交前要跑测试", "提交前不要跑测试"),
        ("我们组每周三下午发版", "我们组每周四下午发版"),
    ] {
        assert!(clash(one, other).is_some(), "{one} / {other}");
    }
}

#[test]
fn what_can_both_hold_does_not_clash() {
    for (one, other) in [
        ("Use tabs", "Use tabs"),
        ("Use tabs in Go", "Use spaces in Python"),
        ("Indent with tabs in Makefiles", "Use spaces"),
        ("I like tea", "I like coffee"),
        ("Issue 12 is about search", "Issue 13 is about search"),
        ("Read docs/guide.md first", "Read docs/api.md first"),
        ("Marta owns billing", "Lena owns search"),
        ("The build is slow", "The build is documented in docs"),
        ("Never commit secrets", "Never commit binaries"),
        ("我们用 Jira", "我们用 pnpm"),
        ("登录模块用 Redis", "搜索模块用 Elasticsearch"),
        ("", "Use tabs"),
        ("5432", "5433"),
    ] {
        assert_eq!(clash(one, other), None, "{one} / {other}");
    }
}

#[test]
fn the_two_values_are_told() {
    let told = |one: &str, other: &str| match clash(one, other) {
        Some(Clash::Values(mine, theirs)) => format!("{mine} / {theirs}"),
        other => format!("{other:?}"),
    };
    assert_eq!(told("The port is 5432", "The port is 5433"), "5432 / 5433");
    assert_eq!(told("产品经理是周敏", "产品经理是李雷"), "周敏 / 李雷");
    assert_eq!(told("Use tabs", "I prefer spaces"), "tabs / spaces");
}

const WORDS: &str = "(use |never |port is |Tabs |spaces |5[0-9] |不要|是|[a-z ,.;]|[一-龟]){0,12}";

proptest::proptest! {
    #[test]
    fn a_clash_is_one_from_both_sides(one in WORDS, other in WORDS) {
        clash(&one, &other);
    }

    #[test]
    fn any_text_is_a_claim(text in ".{0,80}") {
        clash(&text, "Use tabs");
    }
}
