// Asks the original what it makes of session files: its loader, its history
// for the model, and what it notes about finished sessions.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

// What the original puts in for a time that is missing.
const NOW = Date.UTC(2000, 0, 1);

export async function importSessions(from61) {
  return {
    ...(await from61('services/chatRecordingService.js')),
    ...(await from61('services/sessionSummaryUtils.js')),
    ...(await from61('services/sessionScratchpadUtils.js')),
    ...(await from61('utils/sessionUtils.js')),
  };
}

export async function recordSession({ name, input }, { v61 }) {
  const record = await inFile(input, (file) => atNow(() => v61.loadConversationRecord(file)));
  if (record === null) return { name, input, output: null };
  const turns = history(record.messages, v61);
  return { name, input, output: wellFormed({ ...record, history: turns }) };
}

// Half characters cannot be written as UTF-8.
function wellFormed(value) {
  const mend = (_, item) => (typeof item === 'string' ? item.toWellFormed() : item);
  return JSON.parse(JSON.stringify(value), mend);
}

function history(messages, v61) {
  try {
    const turns = v61.convertSessionToClientHistory(structuredClone(messages ?? []));
    v61.ensureStableToolIds(turns);
    return turns.map(({ id, content }) => [id, content.role, content.parts]);
  } catch {
    return 'failed';
  }
}

export async function recordScratchpad({ name, input }, { v61 }) {
  const messages = [
    { sessionId: 's', projectHash: 'p', startTime: '2026-08-21T10:00:00.000Z', lastUpdated: '2026-08-21T10:00:00.000Z' },
    { id: 'a', type: 'user', content: 'one' },
    { id: 'b', type: 'user', content: 'two' },
    { id: 'c', type: 'gemini', content: '', toolCalls: input },
  ];
  const text = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const after = await inFile(text, async (file) => {
    await v61.generateSummary({
      storage: { getProjectTempDir: () => path.dirname(path.dirname(file)) },
      getSessionId: () => 'another',
      getProjectRoot: () => '/T/w',
      getContentGenerator: () => undefined,
    });
    return fs.readFileSync(file, 'utf8');
  });
  return { name, input, output: JSON.parse(after.slice(text.length)).$set.memoryScratchpad };
}

export function recordProgram({ name, input }, { v61 }) {
  const program = v61.summarizeShellCommandForScratchpad(input);
  return { name, input, output: { program, summary: v61.sanitizeWorkflowSummaryForScratchpad(input) } };
}

async function inFile(text, run) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'analects-peer-'));
  try {
    const file = path.join(dir, 'chats', 'session-2026-08-21T10-00-s.jsonl');
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, text);
    return await run(file);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

async function atNow(run) {
  const RealDate = globalThis.Date;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      super(...(args.length > 0 ? args : [NOW]));
    }
  };
  try {
    return await run();
  } finally {
    globalThis.Date = RealDate;
  }
}
