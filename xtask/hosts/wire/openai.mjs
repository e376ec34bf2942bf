// The OpenAI API: `/v1/responses`.

import { sendEvents, sendJson } from './sse.mjs';

export function isModelRequest(method, pathname) {
  return method === 'POST' && pathname.endsWith('/responses');
}

export function isTurn() {
  return true;
}

/**
 * Tools stand flat, or inside of a namespace that a call must name too. Newer models get them as an item of the
 * input, and only a few: the others are hidden behind `exec`, which runs JavaScript.
 */
export function offeredTools(body) {
  const items = Array.isArray(body?.input) ? body.input : [];
  const added = items.flatMap((item) => (item.type === 'additional_tools' ? item.tools : []));
  return [...(body?.tools ?? []), ...added].flatMap((tool) => {
    if (tool.type !== 'namespace') return tool.name ? [{ name: tool.name, kind: tool.type }] : [];
    return tool.tools.map(({ name, type }) => ({ name, kind: type, namespace: tool.name }));
  });
}

/** There is no tool that reads a file: the shell does. */
export function readCall(path, tools) {
  return hiddenCall('exec_command', { cmd: `cat '${path}'` }, tools) ?? {
    name: 'exec_command',
    args: { cmd: `cat '${path}'` },
  };
}

/** A call of a tool that is not offered by name, where the host has code run to reach it. */
export function hiddenCall(suffix, args, tools) {
  const exec = tools.find(({ name, kind }) => name === 'exec' && kind === 'custom');
  if (!exec) return null;
  const source = [
    `const wanted = ${JSON.stringify(suffix)};`,
    'const found = ALL_TOOLS.find(({ name }) => name === wanted || name.endsWith(`_${wanted}`));',
    `text(found ? await tools[found.name](${JSON.stringify(args)}) : \`no tool \${wanted}\`);`,
  ];
  return { ...exec, source: source.join('\n') };
}

export function respond(response, { answer, body, used }) {
  const item = answer.call ? callItem(answer.call) : messageItem(answer.text);
  const result = {
    id: `resp_${nextId()}`,
    object: 'response',
    status: 'completed',
    model: body.model,
    output: [item],
    usage: {
      input_tokens: used,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: used + 10,
    },
  };
  if (!body.stream) {
    sendJson(response, result);
    return;
  }
  const events = [
    { type: 'response.created', response: { ...result, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: result },
  ];
  sendEvents(response, events.map((data) => ({ event: data.type, data })));
}

function callItem({ name, namespace, args, source }) {
  const call = { id: `fc_${nextId()}`, call_id: `call_${nextId()}`, name, status: 'completed' };
  const inside = namespace ? { namespace } : {};
  if (source) return { type: 'custom_tool_call', ...call, ...inside, input: source };
  return { type: 'function_call', ...call, ...inside, arguments: JSON.stringify(args) };
}

function messageItem(text) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: `msg_${nextId()}`, role: 'assistant', status: 'completed', content };
}

let nIds = 0;
function nextId() {
  nIds += 1;
  return String(nIds).padStart(4, '0');
}

export function answerOther(method, pathname) {
  return pathname.endsWith('/models') ? { object: 'list', data: [], models: [] } : null;
}
