//! What a Gemini server is told, and what it means by what it says.

use analects_world::model::{Part, Role};
use analects_world::models::{Event, Fault, Finish, Kind, Options, Thinking, Usage};

use super::super::{Flow, Reader};
use super::*;

fn request<'a>(history: &'a [Content], tools: &'a [Tool], options: &'a Options) -> Request<'a> {
    Request {
        model: "gemini-2.5-flash",
        system: "be brief",
        history,
        tools,
        options,
    }
}

#[test]
fn a_question_is_asked_as_the_server_wants_it() {
    let history = [
        Content::text("1", Role::User, "hi"),
        Content {
            id: "2".to_owned(),
            role: Role::Model,
            parts: vec![Part::from_value(json!({ "newThing": 1 }))],
        },
        Content::text("3", Role::User, "there"),
    ];
    let tools = [Tool {
        name: "ls".to_owned(),
        description: "lists".to_owned(),
        parameters: json!({ "type": "object" }),
    }];
    let options = Options {
        max_output_tokens: Some(9),
        temperature: Some(0.5),
        thinking: Thinking::Tokens(64),
        form: Form::Json {
            name: "answer",
            schema: json!({ "type": "array" }),
        },
        choice: Choice::Only("ls".to_owned()),
    };
    let letter = ask(&request(&history, &tools, &options));
    assert_eq!(
        letter.path,
        "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
    );
    assert_eq!(letter.headers, []);
    let body = json!({
        "contents": [
            { "role": "user", "parts": [{ "text": "hi" }] },
            { "role": "user", "parts": [{ "text": "there" }] },
        ],
        "systemInstruction": { "role": "user", "parts": [{ "text": "be brief" }] },
        "tools": [{ "functionDeclarations": [{ "name": "ls", "description": "lists", "parametersJsonSchema": { "type": "object" } }] }],
        "toolConfig": { "functionCallingConfig": { "mode": "ANY", "allowedFunctionNames": ["ls"] } },
        "generationConfig": {
            "temperature": 0.5,
            "maxOutputTokens": 9,
            "responseMimeType": "application/json",
            "responseJsonSchema": { "type": "array" },
            "thinkingConfig": { "thinkingBudget": 64, "includeThoughts": true },
        },
    });
    assert_eq!(letter.body, Some(body));
}

#[test]
fn what_is_left_to_the_server_is_not_sent() {
    let history = [Content::text("1", Role::User, "hi")];
    let mut request = request(&history, &[], &Options::USUAL);
    request.system = "";
    let contents = json!([{ "role": "user", "parts": [{ "text": "hi" }] }]);
    assert_eq!(ask(&request).body, Some(json!({ "contents": contents })));
    let letter = count(&request);
    assert_eq!(letter.path, "/v1beta/models/gemini-2.5-flash:countTokens");
    let asked = json!({ "model": "models/gemini-2.5-flash", "contents": contents });
    assert_eq!(
        letter.body,
        Some(json!({ "generateContentRequest": asked }))
    );
}

#[test]
fn a_choice_without_tools_is_none() {
    let options = Options {
        choice: Choice::Any,
        ..Options::USUAL
    };
    let body = ask(&request(&[], &[], &options)).body.unwrap();
    assert_eq!(body.get("toolConfig"), None);
    assert_eq!(choice(&Choice::Auto, &[]), None);
    assert_eq!(choice(&Choice::None, &[]), Some(json!({ "mode": "NONE" })));
    assert_eq!(choice(&Choice::Any, &[]), Some(json!({ "mode": "ANY" })));
}

#[test]
fn the_name_of_a_model_stays_within_its_place() {
    let path = |model| path(model, "m");
    assert_eq!(path("models/gemini-3"), "/v1beta/models/gemini-3:m");
    assert_eq!(path("tunedModels/mine"), "/v1beta/tunedModels/mine:m");
    assert_eq!(
        path("../x?key=1#y"),
        "/v1beta/models/..%2Fx%3Fkey%3D1%23y:m"
    );
    assert_eq!(
        path("models/../../a:b\r\n"),
        "/v1beta/models/..%2F..%2Fa%3Ab%0D%0A:m"
    );
    assert_eq!(path("%2e%2e"), "/v1beta/models/%252e%252e:m");
}

#[test]
fn models_that_answer_are_listed() {
    let answer = json!({ "models": [
        { "name": "models/gemini-2.5-pro", "inputTokenLimit": 1_048_576, "supportedGenerationMethods": ["generateContent", "countTokens"] },
        { "name": "models/embedding", "supportedGenerationMethods": ["embedContent"] },
        { "name": "bare", "inputTokenLimit": -1 },
        { "noName": 1 }, 5,
    ] });
    let listed = listed(&answer).unwrap();
    let told: Vec<_> = listed.iter().map(|l| (&*l.name, l.window_tokens)).collect();
    assert_eq!(told, [("gemini-2.5-pro", Some(1_048_576)), ("bare", None)]);
    for nonsense in [json!({}), json!([]), json!({ "models": "many" })] {
        assert_eq!(super::listed(&nonsense), None);
    }
}

fn read(pieces: &[&str]) -> (Vec<Event>, Result<(), Fault>) {
    let mut events = Vec::new();
    let mut hear = |event| events.push(event);
    let mut reader = Box::new(GeminiReader::default());
    for piece in pieces {
        match reader.read(None, piece, &mut hear) {
            Ok(flow) => assert_eq!(flow, Flow::More),
            Err(fault) => return (events, Err(fault)),
        }
    }
    let end = reader.end(&mut hear);
    (events, end)
}

fn heard(pieces: &[&str]) -> Vec<Event> {
    let (events, end) = read(pieces);
    assert_eq!(end, Ok(()));
    events
}

fn kind(pieces: &[&str]) -> Kind {
    read(pieces).1.unwrap_err().kind
}

#[test]
fn words_thoughts_calls_and_signatures_come_in_their_order() {
    let events = heard(&[
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"so"}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"ls","args":{"path":"."}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"7","name":"cat"}}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":""}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"ZW5k"}]},"finishReason":"STOP"}]}"#,
    ]);
    let parts: Vec<_> = [
        json!({ "text": "hm", "thought": true }),
        json!({ "text": "so" }),
        json!({ "functionCall": { "name": "ls", "args": { "path": "." } }, "thoughtSignature": "c2ln" }),
        json!({ "functionCall": { "id": "7", "name": "cat" } }),
        json!({ "text": "", "thoughtSignature": "ZW5k" }),
    ]
    .into_iter()
    .map(|part| Event::Part(Part::from_value(part)))
    .chain([Event::Finish(Finish::Done)])
    .collect();
    assert_eq!(events, parts);
}

#[test]
fn usage_is_told_when_it_changes_and_lies_are_not_believed() {
    let usage = |counts: &str| format!(r#"{{"usageMetadata":{counts}}}"#);
    let events = heard(&[
        &usage(r#"{"promptTokenCount":5}"#),
        &usage(r#"{"promptTokenCount":5,"totalTokenCount":9}"#),
        r#"{"candidates":[{"finishReason":"STOP"}]}"#,
        &usage(
            r#"{"promptTokenCount":5,"cachedContentTokenCount":2,"candidatesTokenCount":3,"thoughtsTokenCount":4}"#,
        ),
        &usage(
            r#"{"promptTokenCount":-5,"cachedContentTokenCount":1.5,"candidatesTokenCount":18446744073709551615,"thoughtsTokenCount":"many"}"#,
        ),
        &usage("7"),
    ]);
    let first = Usage {
        prompt: Some(5),
        ..Usage::default()
    };
    let whole = Usage {
        prompt: Some(5),
        cached: Some(2),
        answer: Some(3),
        thoughts: Some(4),
    };
    assert_eq!(
        events,
        [
            Event::Usage(first),
            Event::Usage(whole),
            Event::Usage(Usage::default()),
            Event::Finish(Finish::Done)
        ]
    );
}

#[test]
fn every_reason_to_end_has_its_meaning() {
    let blocked = |word: &str| Finish::Blocked(word.to_owned());
    let bad_call = |word: &str| Finish::BadCall(word.to_owned());
    for (reason, finish) in [
        ("STOP", Finish::Done),
        ("MAX_TOKENS", Finish::Length),
        ("SAFETY", blocked("SAFETY")),
        ("PROHIBITED_CONTENT", blocked("PROHIBITED_CONTENT")),
        ("BLOCKLIST", blocked("BLOCKLIST")),
        ("SPII", blocked("SPII")),
        ("IMAGE_SAFETY", blocked("IMAGE_SAFETY")),
        ("RECITATION", Finish::Recitation),
        (
            "MALFORMED_FUNCTION_CALL",
            bad_call("MALFORMED_FUNCTION_CALL"),
        ),
        ("UNEXPECTED_TOOL_CALL", bad_call("UNEXPECTED_TOOL_CALL")),
        ("TOO_MANY_TOOL_CALLS", bad_call("TOO_MANY_TOOL_CALLS")),
        ("LANGUAGE", Finish::Other("LANGUAGE".to_owned())),
    ] {
        let piece = format!(r#"{{"candidates":[{{"finishReason":"{reason}"}}]}}"#);
        assert_eq!(heard(&[&piece]), [Event::Finish(finish)]);
    }
    let feedback = r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}"#;
    assert_eq!(
        heard(&[feedback]),
        [Event::Finish(blocked("PROHIBITED_CONTENT"))]
    );
}

#[test]
fn only_the_first_candidate_answers() {
    let events = heard(&[
        r#"{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"},{"content":{"parts":[{"text":"b"}]},"finishReason":"SAFETY"}]}"#,
    ]);
    assert_eq!(
        events,
        [Event::Part(Part::text("a")), Event::Finish(Finish::Done)]
    );
}

#[test]
fn a_whole_list_of_pieces_is_read_as_a_stream() {
    let events = heard(&[
        r#"[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},{"candidates":[{"finishReason":"STOP"}]}]"#,
    ]);
    assert_eq!(events.len(), 2);
}

#[test]
fn a_call_whose_arguments_are_no_object_is_misspelt() {
    for call in [
        r#"{"name":"ls","args":"-l"}"#,
        r#"{"name":"ls","args":[1]}"#,
        r#"{"args":{}}"#,
    ] {
        let piece = format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"functionCall":{call}}}]}},"finishReason":"STOP"}}]}}"#
        );
        let events = heard(&[&piece]);
        assert!(
            matches!(&events[..], [Event::Finish(Finish::BadCall(_))]),
            "{events:?}"
        );
    }
}

#[test]
fn nonsense_is_garbled_an_error_is_what_it_says_and_no_finish_is_a_cut() {
    assert_eq!(kind(&["{\"candidates\":["]), Kind::Garbled);
    assert_eq!(kind(&["hello"]), Kind::Garbled);
    assert_eq!(kind(&["7"]), Kind::Garbled);
    assert_eq!(kind(&["[7]"]), Kind::Garbled);
    assert_eq!(kind(&[&"[".repeat(100_000)]), Kind::Garbled);
    let busy = r#"{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}"#;
    assert_eq!(kind(&[busy]), Kind::Busy);
    assert_eq!(kind(&[]), Kind::Cut);
    assert_eq!(kind(&["{}"]), Kind::Garbled);
    assert_eq!(kind(&["{\"status\": \"ok\"}"]), Kind::Garbled);
    assert_eq!(kind(&["{\"usageMetadata\": {}}"]), Kind::Cut);
    // Shapes that nobody expects say nothing, and break nothing.
    assert_eq!(kind(&[r#"{"candidates":7}"#]), Kind::Garbled);
    for odd in [
        r#"{"candidates":[7]}"#,
        r#"{"candidates":[{"content":{"parts":[7,"x",null,[]]},"finishReason":5}]}"#,
        r#"{"candidates":[{"content":[]}],"promptFeedback":[],"error":null}"#,
    ] {
        let (events, end) = read(&[odd]);
        assert_eq!((events, end.unwrap_err().kind), (Vec::new(), Kind::Cut));
    }
}
