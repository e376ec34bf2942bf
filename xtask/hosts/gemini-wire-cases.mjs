// What is asked of Gemini by them and by us, and where we mean to differ.
//
// A case is `{name, sdk, ours, intended}`: the same question for the SDK's
// `models` and for our example, and `[pattern, why]` for each difference.

export const KEY = 'dummy';
export const MODEL = 'gemini-2.5-flash';

const SYSTEM = 'You are brief.';
const CONTENTS = [{ role: 'user', parts: [{ text: 'Where is the heron?' }] }];
const SCHEMA = {
  type: 'object',
  properties: { bird: { type: 'string' }, legs: { type: 'integer' } },
  required: ['bird'],
};
const TOOLS = [
  { name: 'find_bird', description: 'Finds a bird.', parametersJsonSchema: SCHEMA },
  { name: 'list_ponds', description: 'Lists the ponds.', parametersJsonSchema: { type: 'object', properties: {} } },
];

/** What Gemini CLI is asked, so that it reads a file. */
export const PROMPT = 'How long is the pond? See notes.txt.';

const DRAWN = [/^theirs body\.generationConfig\.top[PK] = /, 'how words are drawn is left to the server, but for the temperature'];

/** Gemini CLI itself, in two generations of models; what it says in its second turn is what we are given to say. */
export const CLI = [
  { name: 'Gemini CLI, which tells how many tokens to think', model: MODEL, intended: [DRAWN] },
  { name: 'Gemini CLI, which tells how hard to think', model: 'gemini-3.8-flash', intended: [DRAWN] },
];

/** The same for us. */
export function sameAs({ contents, systemInstruction, tools, generationConfig }) {
  const { thinkingBudget, thinkingLevel } = generationConfig.thinkingConfig;
  return {
    ask: 'stream',
    system: systemInstruction.parts.map(({ text }) => text).join(''),
    contents,
    tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations),
    temperature: generationConfig.temperature,
    thinking_tokens: thinkingBudget ?? { LOW: 128, HIGH: 8192 }[thinkingLevel],
  };
}

/** Everything that a history may hold. */
const PAST = [
  { role: 'user', parts: [{ text: 'Look at this.' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
  {
    role: 'model',
    parts: [
      { text: 'It may be a heron.', thought: true },
      { functionCall: { id: 'call-1', name: 'find_bird', args: { bird: 'heron' } }, thoughtSignature: 'c2lnbmVk' },
      { functionCall: { id: 'call-2', name: 'list_ponds', args: {} } },
    ],
  },
  {
    role: 'user',
    parts: [
      {
        functionResponse: {
          id: 'call-1',
          name: 'find_bird',
          response: { output: 'It stands there.' },
          parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
        },
      },
      { functionResponse: { id: 'call-2', name: 'list_ponds', response: { error: 'no map' } } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'files/ponds' } },
      { text: 'Go on.' },
    ],
  },
];

const NO_CONFIG = [/^theirs body\.generationConfig = \{\}$/, 'an empty one says nothing'];

export const CASES = [
  {
    name: 'words alone',
    sdk: (models) => stream(models, {}),
    ours: ask({}),
    intended: [NO_CONFIG],
  },
  {
    name: 'all that a history may hold',
    sdk: (models) => stream(models, {}, PAST),
    ours: ask({ contents: PAST }),
    intended: [NO_CONFIG],
  },
  {
    name: 'a bounded answer',
    sdk: (models) => stream(models, { systemInstruction: SYSTEM, maxOutputTokens: 64, temperature: 0 }),
    ours: ask({ system: SYSTEM, max_output_tokens: 64, temperature: 0 }),
  },
  {
    name: 'no thinking',
    sdk: (models) => stream(models, { thinkingConfig: { thinkingBudget: 0 } }),
    ours: ask({ thinking_tokens: 0 }),
  },
  {
    name: 'some thinking',
    sdk: (models) => stream(models, { thinkingConfig: { thinkingBudget: 512, includeThoughts: true } }),
    ours: ask({ thinking_tokens: 512 }),
  },
  {
    name: 'JSON of a schema',
    sdk: (models) => stream(models, { responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
    ours: ask({ schema: SCHEMA }),
  },
  {
    name: 'no tool may be called',
    sdk: (models) => stream(models, choice({ mode: 'NONE' })),
    ours: ask({ tools: TOOLS, choice: 'none' }),
    intended: [NO_CONFIG],
  },
  {
    name: 'some tool must be called',
    sdk: (models) => stream(models, choice({ mode: 'ANY' })),
    ours: ask({ tools: TOOLS, choice: 'any' }),
    intended: [NO_CONFIG],
  },
  {
    name: 'one tool must be called',
    sdk: (models) => stream(models, choice({ mode: 'ANY', allowedFunctionNames: ['find_bird'] })),
    ours: ask({ tools: TOOLS, choice: 'find_bird' }),
    intended: [NO_CONFIG],
  },
  {
    name: 'tokens are counted',
    sdk: (models) => models.countTokens({ model: MODEL, contents: CONTENTS }),
    ours: { ask: 'count', contents: CONTENTS },
    intended: [
      [/^theirs body\.contents\[0\]\./, 'the API counts system text and tools too, if they are put into a whole request'],
      [/^ours body\.generateContentRequest\.contents\[0\]\.(role|parts)/, 'which holds the same'],
      [/^ours body\.generateContentRequest\.model = "models\/gemini-2\.5-flash"$/, 'and names the model'],
    ],
  },
  {
    name: 'models are listed',
    sdk: (models) => models.list(),
    ours: { ask: 'list', contents: [] },
    intended: [
      [/^theirs query = \{\}$/, 'they turn pages'],
      [/^ours query\.pageSize = "1000"$/, 'we take all on one page'],
      [/^theirs head\.content-type = /, 'nothing is sent, so it has no type'],
    ],
  },
];

function ask(more) {
  return { ask: 'stream', contents: CONTENTS, ...more };
}

function choice(functionCallingConfig) {
  return { tools: [{ functionDeclarations: TOOLS }], toolConfig: { functionCallingConfig } };
}

/** Asks, and hears the answer to its end. */
async function stream(models, config, contents = CONTENTS) {
  const pieces = await models.generateContentStream({ model: MODEL, contents, config });
  for await (const piece of pieces) void piece;
}
