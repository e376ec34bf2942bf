//! The last turn: who gets it, what can be done in it, and when it is over.

use expect_test::expect;

use super::*;

/// A driver whose model has one turn left to say what it found, and why.
fn out_of_turns() -> Driver {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    for n in 0..LIMITS.max_turns {
        assert_eq!(driver.errand.offers(), Offers::Everything);
        assert!(matches!(driver.turn(&[look(n)]), Next::Ask));
    }
    assert_eq!(driver.errand.offers(), Offers::OnlyCompletion);
    driver
}

#[test]
fn whoever_has_no_turns_left_is_told_so_behind_the_responses() {
    let driver = out_of_turns();
    assert_eq!(driver.responses(), [r#"read_file {"output":"seen"}"#]);
    let told: Vec<_> = driver.last().texts().collect();
    expect!["Why you have to stop: you have had as many turns as you may have. This is your last turn. Call `complete_task` now, and nothing else, with whatever you have found or done so far; say in it what is left undone. Anything else is not heard, and then the whole task counts as failed."].assert_eq(told[0]);
    assert_eq!(driver.n_asked, LIMITS.max_turns + 1);
}

#[test]
fn a_result_in_the_last_turn_counts() {
    let mut driver = out_of_turns();
    let Next::Run(calls) = driver.answer(&[look(9), done("Half of it.")]) else {
        panic!("{:?}", driver.way)
    };
    assert_eq!(calls, []);
    assert!(matches!(driver.run(&[], ""), Next::End(End::Answered)));
    assert_eq!(driver.finished().reason, Reason::Goal);
    assert_eq!(driver.finished().n_turns, 4);
    let responses = driver.responses();
    assert_eq!(
        responses,
        [
            r#"read_file {"error":"Nothing is run in the last turn: only `complete_task` was to be called."}"#,
            r#"complete_task {"output":"The task is complete."}"#
        ]
    );
}

#[test]
fn whatever_else_is_said_in_the_last_turn_ends_it_for_the_reason_it_was_given() {
    let wrong = [
        vec![say::text("But I am not ready.")],
        vec![look(9)],
        vec![complete(json!({}))],
        vec![say::text("I will look at the file once more, to be quite sure. "); 20],
    ];
    for pieces in wrong {
        let mut driver = out_of_turns();
        let next = driver.turn(&pieces);
        assert!(matches!(next, Next::End(_)), "{next:?}");
        assert_eq!(driver.finished().reason, Reason::MaxTurns);
        assert_eq!(driver.n_asked, 4);
    }
    for event in [Unanswered::Failed, Unanswered::TooLarge] {
        let mut driver = out_of_turns();
        assert!(matches!(
            driver.step(Event::Unanswered(event)),
            Next::End(_)
        ));
        assert_eq!(driver.finished().reason, Reason::MaxTurns);
    }
}

#[test]
fn time_that_ran_out_over_tools_gives_a_last_turn_of_a_minute() {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    let Next::Run(calls) = driver.answer(&[look(1)]) else {
        panic!("{:?}", driver.way)
    };
    driver.now_ms = 1_200;
    driver.errand.waited(300);
    assert_eq!(driver.errand.deadline_ms(), 1_300);
    driver.now_ms = 1_300;
    assert!(matches!(driver.run(&calls, "seen"), Next::Ask));
    assert_eq!(driver.errand.offers(), Offers::OnlyCompletion);
    assert_eq!(driver.errand.deadline_ms(), 61_300);
    driver.errand.waited(200);
    assert_eq!(driver.errand.deadline_ms(), 61_500);
    let told: Vec<_> = driver.last().texts().collect();
    assert!(told[0].contains("your time is over"), "{told:?}");
    driver.turn(&[done("Half of it.")]);
    assert_eq!(driver.finished().reason, Reason::Goal);
}

#[test]
fn a_request_that_takes_too_long_is_given_up_and_the_task_is_not_forgotten() {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    driver.now_ms = 1_000;
    assert!(matches!(driver.step(Event::Cancelled), Next::Ask));
    let history = driver.errand.dialogue().history();
    assert_eq!(history.len(), 1);
    let texts: Vec<_> = history[0].texts().collect();
    assert_eq!(texts[0], "Find it");
    assert!(texts[1].contains("your time is over"), "{texts:?}");
    driver.now_ms = 61_000;
    assert!(matches!(
        driver.step(Event::Cancelled),
        Next::End(End::Cancelled)
    ));
    assert_eq!(driver.finished().reason, Reason::Timeout);
    assert_eq!(driver.finished().n_turns, 2);

    let mut driver = Driver::new(LIMITS);
    driver.begin();
    driver.turn(&[look(1)]);
    driver.now_ms = 1_000;
    assert!(matches!(driver.step(Event::Cancelled), Next::Ask));
    let history = driver.errand.dialogue().history();
    let asked = history.iter().flat_map(Content::texts);
    assert_eq!(asked.filter(|text| *text == "Find it").count(), 1);
    driver.turn(&[done("Half of it.")]);
    assert_eq!(driver.finished().reason, Reason::Goal);
}

#[test]
fn a_task_that_still_stands_is_not_said_twice() {
    let past = (0..40).map(|n| {
        let role = match n % 2 {
            0 => Role::User,
            _ => Role::Model,
        };
        Content::text(format!("t{n}"), role, "on and on ".repeat(200))
    });
    let mut driver = Driver::after(LIMITS, 100_000, Output::usual(), past.collect());
    driver.begin();
    driver.step(Event::Unanswered(Unanswered::TooLarge));
    assert!(driver.way.iter().any(|word| word == "Compressed"));
    driver.now_ms = 1_000;
    assert!(matches!(driver.step(Event::Cancelled), Next::Ask));
    let history = driver.errand.dialogue().history();
    let asked = history.iter().flat_map(Content::texts);
    assert_eq!(asked.filter(|text| *text == "Find it").count(), 1);
}

#[test]
fn somebody_who_cancels_the_last_turn_ends_it() {
    let mut driver = out_of_turns();
    driver.step(Event::Cancelled);
    assert_eq!(driver.finished().reason, Reason::Aborted);
}

#[test]
fn an_answer_that_came_too_late_runs_nothing_and_may_still_complete_the_task() {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    driver.now_ms = 1_000;
    let Next::Run(calls) = driver.answer(&[look(1)]) else {
        panic!("{:?}", driver.way)
    };
    assert_eq!(calls, []);
    assert!(matches!(driver.run(&[], ""), Next::Ask));
    assert_eq!(
        driver.responses(),
        [r#"read_file {"error":"This was not run: your time is over."}"#]
    );

    let mut driver = Driver::new(LIMITS);
    driver.begin();
    driver.now_ms = 1_000;
    driver.turn(&[done("Found.")]);
    assert_eq!(driver.finished().reason, Reason::Goal);
}

#[test]
fn whoever_prepares_a_request_past_the_time_finds_the_last_one_instead() {
    let mut driver = Driver::new(LIMITS);
    let step = driver.errand.step(
        Event::Prompt(Content::text("p", Role::User, "Find it")),
        driver.now_ms,
    );
    assert!(matches!(step.next, Next::Prepare { .. }));
    driver.now_ms = 1_000;
    assert!(matches!(
        driver.step(Event::Prepared(Ready::default())),
        Next::Ask
    ));
    assert_eq!(driver.errand.offers(), Offers::OnlyCompletion);
    assert_eq!(driver.n_asked, 1);
    assert_eq!(driver.last().texts().count(), 2);
}

#[test]
fn whoever_only_talks_is_asked_for_the_result_once() {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    assert!(matches!(
        driver.answer(&[say::text("It is in a.rs.")]),
        Next::Ask
    ));
    let told: Vec<_> = driver.last().texts().collect();
    assert!(
        told[0].contains("without calling `complete_task`"),
        "{told:?}"
    );
    let next = driver.answer(&[say::text("As I said.")]);
    assert!(matches!(next, Next::End(End::Answered)), "{next:?}");
    assert_eq!(driver.finished().reason, Reason::NoCompletion);
    assert_eq!(driver.finished().text(), None);
    assert_eq!(
        driver.way.join(" "),
        "prepare route Asked ask Said prepare route Asked ask Said end"
    );
}

#[test]
fn whoever_may_not_be_asked_at_all_is_asked_once() {
    let mut driver = Driver::new(Limits {
        max_turns: 0,
        ..LIMITS
    });
    assert!(matches!(driver.begin(), Next::Ask));
    assert_eq!(driver.errand.offers(), Offers::OnlyCompletion);
    let texts: Vec<_> = driver.last().texts().collect();
    assert_eq!((texts.len(), texts[0]), (2, "Find it"));
}

#[test]
fn a_request_that_has_to_be_made_again_counts_again() {
    let mut driver = Driver::new(Limits {
        max_turns: 1,
        ..LIMITS
    });
    driver.begin();
    assert!(matches!(
        driver.step(Event::Unanswered(Unanswered::TooLarge)),
        Next::Ask
    ));
    assert_eq!(driver.errand.offers(), Offers::OnlyCompletion);
    driver.turn(&[done("Found.")]);
    assert_eq!(driver.finished().reason, Reason::Goal);
    assert_eq!(driver.finished().n_turns, 2);
}
