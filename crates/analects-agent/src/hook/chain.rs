//! Sequential hooks: the next one sees the input as the one before it changed it.

use serde_json::{Map, Value};

use super::{Event, Output};

/// Changes what the next hook is told by what this one wants. Only for one that did its work.
pub fn chain(event: Event, input: &mut Map<String, Value>, output: &Output) {
    match event {
        Event::BeforeAgent => {
            if let (Some(context), Some(Value::String(prompt))) =
                (output.context(), input.get_mut("prompt"))
            {
                prompt.push_str("\n\n");
                prompt.push_str(context);
            }
        }
        Event::BeforeModel => lay_over(input, output, "llm_request"),
        Event::BeforeTool => lay_over(input, output, "tool_input"),
        _ => {}
    }
}

/// Puts the members that a hook named in the place of those of the same name.
fn lay_over(input: &mut Map<String, Value>, output: &Output, name: &str) {
    let new = output.specific.get(name).and_then(Value::as_object);
    let Some(new) = new.filter(|new| !new.is_empty()) else {
        return;
    };
    let members = input.get_mut(name).and_then(Value::as_object_mut);
    if let Some(members) = members {
        members.extend(new.clone());
    } else {
        // What was no object before is one now: arguments may be missing altogether.
        input.insert(name.to_owned(), Value::Object(new.clone()));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn chained(event: Event, input: Value, specific: Value) -> Value {
        let (Value::Object(mut input), Value::Object(specific)) = (input, specific) else {
            panic!("objects are wanted")
        };
        let output = Output {
            specific,
            ..Output::default()
        };
        chain(event, &mut input, &output);
        Value::Object(input)
    }

    #[test]
    fn each_event_hands_on_what_it_can_change() {
        use Event::{AfterTool, BeforeAgent, BeforeModel, BeforeTool};
        for (event, input, specific, expected) in [
            (
                BeforeAgent,
                json!({"prompt": "a"}),
                json!({"additionalContext": "b"}),
                json!({"prompt": "a\n\nb"}),
            ),
            (
                BeforeAgent,
                json!({"prompt": "a"}),
                json!({"additionalContext": 5}),
                json!({"prompt": "a"}),
            ),
            (
                BeforeTool,
                json!({"tool_input": {"a": 1, "b": {"c": 2}}}),
                json!({"tool_input": {"b": {"d": 3}}}),
                json!({"tool_input": {"a": 1, "b": {"d": 3}}}),
            ),
            (
                BeforeTool,
                json!({"tool_input": null}),
                json!({"tool_input": {"b": 1}}),
                json!({"tool_input": {"b": 1}}),
            ),
            (
                BeforeTool,
                json!({"tool_input": {"a": 1}}),
                json!({"tool_input": "x"}),
                json!({"tool_input": {"a": 1}}),
            ),
            (
                BeforeModel,
                json!({"llm_request": {"model": "m", "messages": []}}),
                json!({"llm_request": {"model": "n"}}),
                json!({"llm_request": {"model": "n", "messages": []}}),
            ),
            (
                AfterTool,
                json!({"tool_input": {}}),
                json!({"tool_input": {"a": 1}}),
                json!({"tool_input": {}}),
            ),
        ] {
            assert_eq!(chained(event, input, specific), expected, "{event:?}");
        }
    }
}
