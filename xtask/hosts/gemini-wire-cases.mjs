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

/** Gemini CLI itself; what it says in its second turn is what we are given to say. */
export const CLI = {
  name: 'the second turn of Gemini CLI',
  prompt: 'How long is the pond? See notes.txt.',
  model: MODEL,
  from: ({ contents, systemInstruction, tools, generationConfig }) => ({
    ours: {
      ask: 'stream',
      system: systemInstruction.parts.map(({ text }) => text).join(''),
      contents,
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations),
      temperature: generationConfig.temperature,
      thinking_tokens: generationConfig.thinkingConfig.thinkingBudget,
    },
  }),
  intended: [
    [/^theirs body\.generationConfig\.top[PK] = /, 'how words are drawn beyond the temperature is left to the server'],
  ],
};

export const CASES = [
  {
    name: 'words alone',
    sdk: (models) => stream(models, {}),
    ours: ask({}),
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
  },
  {
    name: 'some tool must be called',
    sdk: (models) => stream(models, choice({ mode: 'ANY' })),
    ours: ask({ tools: TOOLS, choice: 'any' }),
  },
  {
    name: 'one tool must be called',
    sdk: (models) => stream(models, choice({ mode: 'ANY', allowedFunctionNames: ['find_bird'] })),
    ours: ask({ tools: TOOLS, choice: 'find_bird' }),
  },
  {
    name: 'tokens are counted',
    sdk: (models) => models.countTokens({ model: MODEL, contents: CONTENTS }),
    ours: { ask: 'count', contents: CONTENTS },
  },
  {
    name: 'models are listed',
    sdk: (models) => models.list(),
    ours: { ask: 'list', contents: CONTENTS },
  },
];

function ask(more) {
  return { ask: 'stream', contents: CONTENTS, ...more };
}

function choice(functionCallingConfig) {
  return { tools: [{ functionDeclarations: TOOLS }], toolConfig: { functionCallingConfig } };
}

/** Asks, and hears the answer to its end. */
async function stream(models, config) {
  const pieces = await models.generateContentStream({ model: MODEL, contents: CONTENTS, config });
  for await (const piece of pieces) void piece;
}
