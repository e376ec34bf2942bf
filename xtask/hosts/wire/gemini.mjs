// The Gemini API: `models/NAME:streamGenerateContent` and its relatives.

import { sendEvents, sendJson } from './sse.mjs';

export function isModelRequest(method, pathname) {
  return method === 'POST' && /:(streamG|g)enerateContent$/.test(pathname);
}

/** Asks for JSON come from the host itself (routing, loop checks), not from the conversation. */
export function isTurn(body) {
  return !wantsJson(body);
}

function wantsJson(body) {
  return body.generationConfig?.responseMimeType === 'application/json';
}

export function offeredTools(body) {
  const declared = (body?.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
  return declared.map(({ name }) => ({ name }));
}

export function readCall(path) {
  return { name: 'read_file', args: { file_path: path } };
}

export function hiddenCall() {
  return null;
}

export function respond(response, { answer, body, pathname, used }) {
  const text = wantsJson(body) ? JSON.stringify(fill(body.generationConfig)) : answer.text;
  const part = answer.call
    ? { functionCall: { name: answer.call.name, args: answer.call.args } }
    : { text };
  const data = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: used, candidatesTokenCount: 10, totalTokenCount: used + 10 },
    modelVersion: /models\/([^:]+):/.exec(pathname)?.[1] ?? 'fake',
  };
  if (pathname.endsWith(':streamGenerateContent')) sendEvents(response, [{ data }]);
  else sendJson(response, data);
}

/** The smallest value that the wanted schema allows. */
function fill({ responseJsonSchema, responseSchema }) {
  return smallest(responseJsonSchema ?? responseSchema ?? {});
}

function smallest({ type = 'object', enum: choices, properties = {}, required = [] }) {
  if (choices) return choices[0];
  switch (type.toLowerCase()) {
    case 'object':
      return Object.fromEntries(required.map((key) => [key, smallest(properties[key] ?? {})]));
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 1;
    default:
      return 'none';
  }
}

export function answerOther(method, pathname) {
  return pathname.endsWith(':countTokens') ? { totalTokens: 100 } : null;
}
