//! What a person hears about the model that answers: nothing is chosen, or changed, in silence.

use super::*;

/// What was told of models, in order, and who answered last.
fn told(stage: &Stage) -> Vec<String> {
    let around = surroundings("/w/app", "/h", &stage.vars);
    let world = stage.desk.world(&around);
    let hands = Hands {
        shell: &stage.shell,
        servers: &stage.servers,
    };
    let mut told = Vec::new();
    let mut tell = |event: Tell<'_>| match event {
        Tell::StartOver { why } => told.push(why.to_owned()),
        Tell::Notice(problem) => told.push(problem.message.clone()),
        _ => {}
    };
    let cancel = Cancel::new();
    talk(&world, hands, &stage.flags, &stage.wish, &cancel, &mut tell).unwrap();
    let asked = stage.desk.models.asked();
    told.extend(asked.last().map(|asked| asked.model.clone()));
    told
}

#[test]
fn whoever_leaves_the_choice_hears_who_was_chosen_and_why() {
    let mut stage = Stage::new("Design a new scheduler.");
    stage.wish.model = Some("auto".to_owned());
    let judged = r#"{"reasoning": "one step", "model_choice": "flash"}"#;
    let stage = stage.answers([vec![say::text(judged)], vec![say::text("So be it.")]]);
    let told = told(&stage);
    let [notice, model] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert!(model.contains("flash"), "{model}");
    assert_eq!(*notice, format!("{model} answers: one step"));
}

#[test]
fn a_wait_and_another_model_are_told() {
    let mut stage = Stage::new("Hello.");
    stage.wish.model = Some("gemini-2.5-pro".to_owned());
    let models = &stage.desk.models;
    models.fail(vec![], Fault::new(Kind::Busy, "too many requests"));
    models.fail(vec![], Fault::new(Kind::Quota, "nothing is left today"));
    let stage = stage.answers([vec![say::text("Good day.")]]);
    let told = told(&stage);
    let [wait, instead, .., model] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(wait, "too many requests; again in 1 s");
    assert_eq!(
        *instead,
        format!("nothing is left today; {model} is asked instead")
    );
    assert!(model.contains("flash"), "{model}");
}
