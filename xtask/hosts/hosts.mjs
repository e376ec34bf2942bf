// The three hosts: how each is started headless, what its settings look like
// when a person has used it for a while, and where it shows hook texts.
//
// docs/reference/hosts.md tells the same in words.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { allText } from './checks.mjs';

const gemini = {
  name: 'gemini',
  // Gemini CLI loads all its own files itself: hooks have only this to add.
  byHook: ['matching'],
  command: ({ packages, prompt }) => [
    process.execPath,
    path.join(packages, 'gemini/node_modules/@google/gemini-cli/bundle/gemini.js'),
    ...['-p', prompt, '--approval-mode', 'yolo', '-o', 'json'],
  ],
  env: ({ port }) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  settings: () => ({
    '.gemini/settings.json': [
      '{',
      '\t// Chosen at the first start.',
      '\t"security": { "auth": { "selectedType": "gemini-api-key" } },',
      '\t"privacy": { "usageStatisticsEnabled": false }, "telemetry": { "enabled": false },',
      '\t"hooks": { "SessionStart": [ { "hooks": [ { "type": "command", "command": "true" } ] } ] }',
      '}',
    ].join('\n'),
  }),
  worn: () => ({
    '.gemini/settings.json': [
      '{ /* mine */ "mcpServers" : {"other":{"command":"other-server","args":[ ]}},',
      '      "hooks":{"AfterTool":[{"matcher":"write_file","hooks":[{"type":"command","command":"fmt"}]}],',
      '  "SessionStart":[]},"ui": {"theme":"Ärger \\u00e4"} // end',
      '}',
      '',
      '',
    ].join('\r\n'),
  }),
  finalText: (stdout) => JSON.parse(stdout).response,
  hookTexts: (body) => allText(body).match(/<hook_context>[\s\S]*?<\/hook_context>/g) ?? [],
};

const claude = {
  name: 'claude',
  byHook: ['global', 'project', 'private', 'matching', 'nearby'],
  command: ({ packages, prompt }) => [
    path.join(packages, `claude/node_modules/@anthropic-ai/claude-code-${platform()}/claude`),
    ...['-p', prompt, '--output-format', 'json', '--allowedTools', 'mcp__analects'],
  ],
  env: ({ port }) => ({
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
  }),
  settings: () => ({
    '.claude.json': '{"numStartups": 7, "theme": "dark"}',
    '.claude/settings.json': {
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'true' }] }] },
    },
  }),
  worn: () => ({
    '.claude.json': '{"numStartups":7,"mcpServers":{"other":{"type":"stdio","command":"o\\u00e9"}},\n"cost":1.50,"big":12345678901234567890}',
    '.claude/settings.json': [
      '{',
      '    "permissions": {"allow": ["Bash(ls:*)"]},',
      '    "hooks": {"PostToolUse": [{"matcher": "Write", "hooks": [{"type": "command", "command": "fmt"}]}]}',
      '}',
      '',
    ].join('\n'),
  }),
  finalText: (stdout) => JSON.parse(stdout).result,
  // One system message holds several texts; a blank line ends a hook's only if it holds none itself.
  hookTexts: (body) => texts(body.messages).filter((text) => text.includes('hook additional context: ')),
};

const codex = {
  name: 'codex',
  byHook: ['global', 'project', 'private', 'matching', 'nearby'],
  command: ({ packages, prompt, home }) => [
    process.execPath,
    path.join(packages, 'codex/node_modules/@openai/codex/bin/codex.js'),
    ...['exec', '--json'],
    // Where setup wrote down the hashes of its hooks, they must be right; else a person would have said yes.
    ...(hasTrustedHooks(home) ? [] : ['--dangerously-bypass-hook-trust']),
    prompt,
  ],
  env: () => ({ FAKE_KEY: 'dummy' }),
  settings: ({ port }) => ({
    '.codex/config.toml': [
      '# The model of the day.',
      'model = "gpt-6-sol"   # was: another',
      'model_provider = "fake"',
      '',
      '[model_providers.fake]',
      'name = "fake"',
      `base_url = "http://127.0.0.1:${port}/v1"`,
      'wire_api = "responses"',
      'env_key = "FAKE_KEY"',
    ].join('\n'),
    '.codex/hooks.json': { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
  }),
  worn: () => ({
    '.codex/config.toml': [
      'model="m"# no blanks',
      'mcp_servers.other = { command = "other-server", args = [ ] }',
      '[projects."/somewhere/else"]',
      "trust_level = 'trusted'",
      '',
    ].join('\n'),
    '.codex/hooks.json': '{"hooks":{"PostToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"fmt"}]}]}}',
  }),
  finalText: (stdout) => {
    const events = stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
    const said = events.filter(({ item, type }) => type === 'item.completed' && item.type === 'agent_message');
    return said.at(-1)?.item.text;
  },
  hookTexts: (body) => body.input.filter(({ role }) => role === 'developer').map(({ content }) => allText(content)),
};

export const HOSTS = [gemini, claude, codex];

function platform() {
  return `${process.platform}-${process.arch}`;
}

function hasTrustedHooks(home) {
  return fs.readFileSync(path.join(home, '.codex/config.toml'), 'utf8').includes('trusted_hash');
}

function texts(messages) {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [{ text: content }] : content));
  return blocks.map(({ text }) => text).filter(Boolean);
}
