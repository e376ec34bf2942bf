// The Anthropic API: `/v1/messages`.

import { sendEvents, sendJson } from './sse.mjs';

export function isModelRequest(method, pathname) {
  return method === 'POST' && pathname.endsWith('/v1/messages');
}

export function isTurn() {
  return true;
}

export function offeredTools(body) {
  return (body?.tools ?? []).map(({ name }) => ({ name }));
}

export function readCall(path) {
  return { name: 'Read', args: { file_path: path } };
}

/** MCP tools are named only; a search loads them, after which the same step is asked for again. */
export function hiddenCall(suffix, args, tools) {
  const search = tools.find(({ name }) => name === 'ToolSearch');
  return search ? { ...search, args: { query: suffix, max_results: 5 }, isSearch: true } : null;
}

export function respond(response, { answer, body, used }) {
  const { call } = answer;
  const usage = { input_tokens: used, output_tokens: 10 };
  const block = call
    ? { type: 'tool_use', id: callId(), name: call.name, input: call.args }
    : { type: 'text', text: answer.text };
  const message = {
    id: `msg_${callId()}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [block],
    stop_reason: call ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage,
  };
  if (body.stream) sendEvents(response, streamed(message, block));
  else sendJson(response, message);
}

function streamed(message, block) {
  const isCall = block.type === 'tool_use';
  const start = isCall ? { ...block, input: {} } : { ...block, text: '' };
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    : { type: 'text_delta', text: block.text };
  const { stop_reason, stop_sequence, usage } = message;
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
  return events.map((data) => ({ event: data.type, data }));
}

let nCalls = 0;
function callId() {
  nCalls += 1;
  return `toolu_${String(nCalls).padStart(4, '0')}`;
}

export function answerOther(method, pathname) {
  return pathname.endsWith('/v1/messages/count_tokens') ? { input_tokens: 100 } : null;
}
