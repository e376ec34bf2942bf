//! What the errors of every server mean.

use serde_json::json;

use super::*;

fn check(status: u16, body: &Value, kind: Kind) -> Fault {
    let fault = refused(status, &body.to_string());
    assert_eq!(fault.kind, kind, "{status} {body}");
    fault
}

#[test]
fn geminis_errors_are_understood() {
    let error = |code: u16, status: &str, message: &str| json!({ "error": { "code": code, "message": message, "status": status } });
    let invalid = json!({ "error": {
        "code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT",
        "details": [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID" }],
    } });
    check(400, &invalid, Kind::Key);
    check(403, &error(403, "PERMISSION_DENIED", "no"), Kind::Key);
    let gone = error(
        404,
        "NOT_FOUND",
        "models/x is not found for API version v1beta",
    );
    check(404, &gone, Kind::NoSuchModel);
    let long =
        "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).";
    check(400, &error(400, "INVALID_ARGUMENT", long), Kind::TooLarge);
    // Asked for a stream, it puts a list around it.
    check(
        400,
        &json!([error(400, "INVALID_ARGUMENT", long)]),
        Kind::TooLarge,
    );
    check(
        400,
        &error(400, "INVALID_ARGUMENT", "what is this"),
        Kind::Refused,
    );
    check(
        500,
        &error(500, "INTERNAL", "an internal error"),
        Kind::Broken,
    );
    check(503, &error(503, "UNAVAILABLE", "overloaded"), Kind::Busy);
}

#[test]
fn a_quota_of_the_day_is_not_one_of_the_minute() {
    let limit = |quotas: &[&str]| {
        let violations: Vec<_> = quotas.iter().map(|id| json!({ "quotaId": id })).collect();
        json!({ "error": { "code": 429, "message": "You exceeded your current quota", "status": "RESOURCE_EXHAUSTED", "details": [
            { "@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": violations },
            { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "12s" },
        ] } })
    };
    let minute = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier";
    let day = "GenerateRequestsPerDayPerProjectPerModel-FreeTier";
    let busy = check(429, &limit(&[minute]), Kind::Busy);
    assert_eq!(busy.retry_after_ms, Some(12_000));
    check(429, &limit(&[minute, day]), Kind::Quota);
}

#[test]
fn errors_of_openai_and_its_kin_are_understood() {
    let error = |code: Value, kind: &str, message: &str| json!({ "error": { "message": message, "type": kind, "param": null, "code": code } });
    let invalid = "invalid_request_error";
    check(
        401,
        &error(json!("invalid_api_key"), invalid, "Incorrect API key"),
        Kind::Key,
    );
    check(
        404,
        &error(
            json!("model_not_found"),
            invalid,
            "The model `x` does not exist",
        ),
        Kind::NoSuchModel,
    );
    check(
        400,
        &error(json!("context_length_exceeded"), invalid, "too long"),
        Kind::TooLarge,
    );
    let vllm =
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens";
    check(
        400,
        &json!({ "object": "error", "message": vllm, "type": "BadRequestError", "code": 400 }),
        Kind::TooLarge,
    );
    check(
        429,
        &error(json!("insufficient_quota"), "insufficient_quota", "pay"),
        Kind::Quota,
    );
    let rate = "Request too large for gpt-4: the maximum context length per minute is reached";
    check(
        429,
        &error(json!("rate_limit_exceeded"), "tokens", rate),
        Kind::Busy,
    );
    let llama = json!({ "error": { "code": 400, "type": "exceed_context_size_error", "n_ctx": 256, "message": "request (4390 tokens) exceeds the available context size (4096 tokens)" } });
    check(400, &llama, Kind::TooLarge);
    let old_llama = json!({ "error": { "code": 500, "message": "Context size has been exceeded.", "type": "server_error" } });
    check(500, &old_llama, Kind::TooLarge);
    let no_path =
        json!({ "error": { "code": 404, "message": "File Not Found", "type": "not_found_error" } });
    let fault = check(404, &no_path, Kind::Refused);
    assert_eq!(
        fault.message,
        "the server refuses the request (404), the address may be wrong: File Not Found"
    );
    check(
        503,
        &json!({ "error": { "code": 503, "message": "Loading model", "type": "unavailable_error" } }),
        Kind::Busy,
    );
    for ollama in [
        json!({ "error": "model \"x\" not found, try pulling it first" }),
        json!({ "error": { "message": "model 'x' not found", "type": "not_found_error" } }),
    ] {
        check(404, &ollama, Kind::NoSuchModel);
    }
}

#[test]
fn anthropics_errors_are_understood() {
    let error = |kind: &str, message: &str| json!({ "type": "error", "error": { "type": kind, "message": message }, "request_id": "r" });
    check(
        401,
        &error("authentication_error", "invalid x-api-key"),
        Kind::Key,
    );
    check(403, &error("permission_error", "not yours"), Kind::Key);
    check(
        404,
        &error("not_found_error", "model: claude-none"),
        Kind::NoSuchModel,
    );
    check(
        400,
        &error(
            "invalid_request_error",
            "prompt is too long: 200001 tokens > 200000 maximum",
        ),
        Kind::TooLarge,
    );
    check(
        413,
        &error("request_too_large", "Request exceeds the maximum size"),
        Kind::TooLarge,
    );
    let poor = "Your credit balance is too low to access the Anthropic API.";
    check(400, &error("invalid_request_error", poor), Kind::Quota);
    check(429, &error("rate_limit_error", "slower"), Kind::Busy);
    check(529, &error("overloaded_error", "Overloaded"), Kind::Busy);
    check(
        500,
        &error("api_error", "Internal server error"),
        Kind::Broken,
    );
}

#[test]
fn a_status_is_enough_where_nothing_is_said() {
    let table = [
        (400, Kind::Refused),
        (401, Kind::Key),
        (402, Kind::Quota),
        (403, Kind::Key),
        (404, Kind::Refused),
        (405, Kind::Refused),
        (407, Kind::Unreachable),
        (408, Kind::Busy),
        (413, Kind::TooLarge),
        (422, Kind::Refused),
        (429, Kind::Busy),
        (500, Kind::Broken),
        (502, Kind::Broken),
        (503, Kind::Busy),
        (504, Kind::Broken),
        (529, Kind::Busy),
        (599, Kind::Broken),
    ];
    for (status, kind) in table {
        for body in [
            "",
            "{}",
            "[]",
            "null",
            "7",
            "no",
            "{\"error\":null}",
            "{\"error\":[1]}",
        ] {
            assert_eq!(refused(status, body).kind, kind, "{status} {body}");
        }
    }
}

#[test]
fn what_a_person_reads_says_what_happened() {
    let message = |status, body: &str| refused(status, body).message;
    assert_eq!(
        message(502, " <!DOCTYPE html><html><title>Bad gateway</title>"),
        "the server failed (502): it answered with a web page, so something else may live at this address"
    );
    assert_eq!(
        message(500, "out of cheese"),
        "the server failed (500): out of cheese"
    );
    assert_eq!(message(500, ""), "the server failed (500)");
    let list =
        json!({ "detail": [{ "loc": ["body"], "msg": "field required" }, { "msg": "and more" }] });
    assert_eq!(
        message(422, &list.to_string()),
        "the server refuses the request (422): field required; and more"
    );
    // A server in front put the whole answer of the one behind into its message.
    let behind = json!({ "error": { "message": "{\"error\":{\"message\":\"busy\",\"status\":\"UNAVAILABLE\"}}", "code": 503 } });
    assert_eq!(
        message(503, &behind.to_string()),
        "the server has too much to do (503): busy"
    );
}

#[test]
fn an_error_in_a_stream_is_judged_by_its_words() {
    let kind = |error: Value| said(&error).kind;
    assert_eq!(
        kind(json!({ "code": 503, "status": "UNAVAILABLE" })),
        Kind::Busy
    );
    assert_eq!(kind(json!({ "type": "overloaded_error" })), Kind::Busy);
    assert_eq!(kind(json!({ "type": "rate_limit_error" })), Kind::Busy);
    assert_eq!(kind(json!({ "type": "api_error" })), Kind::Broken);
    assert_eq!(
        kind(json!({ "type": "invalid_request_error" })),
        Kind::Refused
    );
    assert_eq!(
        kind(json!({ "type": "exceed_context_size_error", "code": 400 })),
        Kind::TooLarge
    );
    assert_eq!(
        kind(json!({ "code": 99_999_999, "message": [] })),
        Kind::Broken
    );
    assert_eq!(kind(json!("boom")), Kind::Broken);
    assert_eq!(kind(json!(null)), Kind::Broken);
}
