// How long the original takes to load a session file.
//
//   node time-session.mjs DIR FILE MEGABYTES
//
// DIR holds a node_modules with @google/gemini-cli-core 0.61.0. FILE is written
// first, as sessions grow: prompts, answers written twice, tools with long output.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

const [dir, file, megabytes] = process.argv.slice(2);
const services = 'node_modules/@google/gemini-cli-core/dist/src/services/chatRecordingService.js';
const { loadConversationRecord } = await import(pathToFileURL(path.resolve(dir, services)).href);

function* records() {
  const at = '2026-08-21T10:01:00.000Z';
  yield { sessionId: 's', projectHash: 'p', startTime: at, lastUpdated: at, kind: 'main' };
  const output = 'error[E0308]: mismatched types\n  --> src/lib.rs:10:5\n10 |     "quoted"\n'.repeat(70);
  const content = 'The function returns early, so the lock is never taken. 原因是锁没有被获取。\n'.repeat(12);
  for (let turn = 0; ; turn += 1) {
    yield { id: `u${turn}`, timestamp: at, type: 'user', content: [{ text: `fix number ${turn}` }] };
    const answer = { id: `g${turn}`, timestamp: at, type: 'gemini', content, thoughts: [], tokens: null, model: 'm' };
    yield answer;
    yield { $set: { lastUpdated: at } };
    const result = [{ functionResponse: { id: `c${turn}`, name: 'run_shell_command', response: { output } } }];
    const call = { id: `c${turn}`, name: 'run_shell_command', args: { command: 'cargo test' }, result, status: 'success' };
    yield { ...answer, toolCalls: [call] };
  }
}

fs.rmSync(file, { force: true });
const out = fs.openSync(file, 'w');
let written = 0;
for (const record of records()) {
  written += fs.writeSync(out, `${JSON.stringify(record)}\n`);
  if (written >= Number(megabytes) * 1024 * 1024) break;
}
fs.closeSync(out);

let best = Infinity;
let count = 0;
for (let round = 0; round < 5; round += 1) {
  const start = process.hrtime.bigint();
  const record = await loadConversationRecord(file);
  best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e6);
  count = record.messages.length;
}
process.stdout.write(`${best.toFixed(1)} ms\n${count} messages\n`);
process.stdout.write(`peak ${Math.round(process.resourceUsage().maxRSS)} kB\n`);
