import { describe, expect, it } from 'vitest';
import type { PlanProblemCode } from '../../../src/core/contract';
import { MAX_ANSWER_LENGTH, parseWorkflow, type ParseLimits } from '../../../src/core/conductor/parse';

const LIMITS: ParseLimits = { poolSize: 3, maxSteps: 5 };
/** The workflow of the first group of tests. Each of these tests writes it in another format. */
const WORKERS = [0, 2];
const SUBTASKS = ['Solve it.', 'Check it.'];
const ACCESS = [[], [0]];

function read(text: string, limits: ParseLimits = LIMITS) {
  const parsed = parseWorkflow(text, limits);
  if (!parsed.ok) return { refused: parsed.problem.code, message: parsed.problem.message, at: parsed.problem.at };
  const { steps } = parsed.workflow;
  return {
    workers: steps.map((step) => step.worker),
    subtasks: steps.map((step) => step.subtask),
    access: steps.map((step) => step.access),
  };
}

const PLAIN = 'model_id = [0, 2]\nsubtasks = ["Solve it.", "Check it."]\naccess_list = [[], "all"]';
const BLOCK_OF_NINE = PLAIN.replace('[0, 2]', '[9, 9]');

describe('the same plan in other formats', () => {
  const formats: Record<string, string> = {
    plain: PLAIN,
    'lists in another order': 'access_list = [[], "all"]\nsubtasks = ["Solve it.", "Check it."]\nmodel_id = [0, 2]',
    'lists in a third order': 'subtasks = ["Solve it.", "Check it."]\nmodel_id = [0, 2]\naccess_list = [[], "all"]',
    'on one line': PLAIN.replaceAll('\n', '; '),
    'commas between the lists': PLAIN.replaceAll('\n', ',\n'),
    'Windows line ends': PLAIN.replaceAll('\n', '\r\n'),
    colons: PLAIN.replaceAll(' =', ':'),
    'full-width colons': PLAIN.replaceAll(' =', '：'),
    'walrus and arrows': PLAIN.replace(' =', ' :=')
      .replace('subtasks =', 'subtasks =>')
      .replace('access_list =', 'access_list →'),
    '“is” or “are” instead of a sign':
      'model_id is [0, 2]\nsubtasks are ["Solve it.", "Check it."]\naccess_list is [[], "all"]',
    'no spaces': 'model_id=[0,2]\nsubtasks=["Solve it.","Check it."]\naccess_list=[[],"all"]',
    'spaces everywhere':
      'model_id  =  [ 0 , 2 ]\nsubtasks = [ "Solve it." , "Check it." ]\naccess_list = [ [ ] , "all" ]',
    'lists on many lines': PLAIN.replaceAll('[0', '[\n  0')
      .replaceAll('["', '[\n  "')
      .replaceAll(', ', ',\n  ')
      .replaceAll('"]', '",\n]'),
    'a fence': `\`\`\`python\n${PLAIN}\n\`\`\``,
    'a fence with tildes': `~~~\n${PLAIN}\n~~~`,
    'a fence that is never closed': `\`\`\`python\n${PLAIN}`,
    'a fence for each list': PLAIN.replaceAll(' = ', ':\n```python\n').replaceAll('\n', '\n') + '\n```',
    'dashes as bullets': PLAIN.replaceAll(/^/gm, '- '),
    'stars as bullets': PLAIN.replaceAll(/^/gm, '* '),
    'dots as bullets': PLAIN.replaceAll(/^/gm, '• '),
    'numbered bullets': PLAIN.split('\n')
      .map((line, index) => `${index + 1}. ${line}`)
      .join('\n'),
    'numbered bullets with brackets': PLAIN.split('\n')
      .map((line, index) => `${index + 1}) ${line}`)
      .join('\n'),
    'a quotation': PLAIN.replaceAll(/^/gm, '> '),
    'bold names': PLAIN.replaceAll(/^(\w+) =/gm, '**$1**:'),
    'bold names with the colon inside': PLAIN.replaceAll(/^(\w+) =/gm, '**$1:**'),
    'bold bullets': PLAIN.replaceAll(/^(\w+) =/gm, '- **$1**:'),
    'italic names': PLAIN.replaceAll(/^(\w+) =/gm, '*$1* ='),
    'names in underscores': PLAIN.replaceAll(/^(\w+) =/gm, '_$1_:'),
    'names in back-ticks': PLAIN.replaceAll(/^(\w+) =/gm, '`$1` ='),
    'bold names in back-ticks': PLAIN.replaceAll(/^(\w+) =/gm, '- **`$1`**:'),
    'lists in back-ticks': PLAIN.replaceAll(/= (.*)$/gm, '= `$1`'),
    'whole lines in back-ticks': PLAIN.replaceAll(/^(.*)$/gm, '`$1`'),
    'headings with a colon': PLAIN.replaceAll(/^(\w+) = /gm, '### $1:\n'),
    'headings without a colon': PLAIN.replaceAll(/^(\w+) = /gm, '## $1\n\n'),
    'escaped underscores': PLAIN.replace('model_id', 'model\\_id').replace('access_list', 'access\\_list'),
    'quoted names': PLAIN.replaceAll(/^(\w+) =/gm, '"$1":'),
    'remarks after the names': PLAIN.replaceAll(/^(\w+) =/gm, '$1 (one entry a step):'),
    'type annotations':
      'model_id: list[int] = [0, 2]\nsubtasks: List[str] = ["Solve it.", "Check it."]\naccess_list: list[list[int] | str] = [[], "all"]',
    'more type annotations':
      'model_id: typing.List[int] = [0, 2]\nsubtasks: list = ["Solve it.", "Check it."]\naccess_list: Sequence[str] | None = [[], "all"]',
    'a JSON object': '{"model_id": [0, 2], "subtasks": ["Solve it.", "Check it."], "access_list": [[], "all"]}',
    'a JSON object on several lines':
      '{\n  "model_id": [0, 2],\n  "subtasks": ["Solve it.", "Check it."],\n  "access_list": [[], "all"]\n}',
    'a Python dict': "plan = {'model_id': [0, 2], 'subtasks': ['Solve it.', 'Check it.'], 'access_list': [[], 'all']}",
    'dict() with keywords': 'dict(model_id=[0, 2], subtasks=["Solve it.", "Check it."], access_list=[[], "all"])',
    'an object without quotes': '{ model_id: [0, 2], subtasks: ["Solve it.", "Check it."], access_list: [[], "all"] }',
    'an object in another order':
      '{"access_list": [[], "all"], "model_id": [0, 2], "subtasks": ["Solve it.", "Check it."]}',
    subscripts: 'p["model_id"] = [0, 2]\np["subtasks"] = ["Solve it.", "Check it."]\np["access_list"] = [[], "all"]',
    attributes: 'self.model_id = [0, 2]\nself.subtasks = ["Solve it.", "Check it."]\nself.access_list = [[], "all"]',
    tags: '<model_id>[0, 2]</model_id><subtasks>["Solve it.", "Check it."]</subtasks><access_list>[[], "all"]</access_list>',
    'single quotes': PLAIN.replaceAll('"', "'"),
    'mixed quotes': PLAIN.replace('"Solve it."', "'Solve it.'"),
    'typographic quotes': PLAIN.replaceAll(/"([^"]*)"/g, '“$1”'),
    'single typographic quotes': PLAIN.replaceAll(/"([^"]*)"/g, '‘$1’'),
    'low quotes': PLAIN.replaceAll(/"([^"]*)"/g, '„$1“'),
    'pointed quotes': PLAIN.replaceAll(/"([^"]*)"/g, '«$1»'),
    'back-ticks as quotes': PLAIN.replaceAll(/"([^"]*)"/g, '`$1`'),
    'back-ticks around each entry': PLAIN.replaceAll(/("[^"]*"|\[\])/g, '`$1`'),
    'triple quotes': PLAIN.replaceAll(/"([^"]*)"/g, '"""$1"""'),
    'triple single quotes': PLAIN.replaceAll(/"([^"]*)"/g, "'''$1'''"),
    'f prefixes': PLAIN.replaceAll(/"([^"]*)"/g, 'f"$1"'),
    'raw and bytes prefixes': PLAIN.replace('"Solve it."', 'r"Solve it."').replace('"Check it."', "B'Check it.'"),
    'combined string prefixes': PLAIN.replace('"Solve it."', 'rb"Solve it."').replace('"Check it."', "fR'Check it.'"),
    'strings side by side': PLAIN.replace('"Solve it."', '"Solve "\n  "it."'),
    'strings side by side in brackets': PLAIN.replace('"Solve it."', '("Solve " \'it.\')'),
    'strings joined with a plus': PLAIN.replace('"Solve it."', '"Solve " + "it."'),
    tuples: 'model_id = (0, 2)\nsubtasks = ("Solve it.", "Check it.",)\naccess_list = ((), "all")',
    'trailing commas': 'model_id = [0, 2,]\nsubtasks = ["Solve it.", "Check it.",]\naccess_list = [[], [0,],]',
    'Python comments':
      'model_id = [0, # first ]\n 2] # last\nsubtasks = ["Solve it.", # "no"\n"Check it."]\naccess_list = [[], "all"]',
    'C comments':
      'model_id = [0, // first ]\n 2]\nsubtasks = ["Solve it.", /* "no", */ "Check it."]\naccess_list = [[], "all"]',
    'ids as strings': PLAIN.replace('[0, 2]', '["0", \'2\']'),
    'ids as names': PLAIN.replace('[0, 2]', '["Model 0", "Model id 2"]'),
    'ids as other names': PLAIN.replace('[0, 2]', '["model_id: 0", "Worker #2"]'),
    'bare names as ids': PLAIN.replace('[0, 2]', '[Model 0, model_2]'),
    'ids as floats': PLAIN.replace('[0, 2]', '[0.0, 2.0]'),
    'a list written as a string': PLAIN.replace('[0, 2]', '"[0, 2]"'),
    '“all” in a list': PLAIN.replace('"all"', '["all"]'),
    '“all” in a tuple': PLAIN.replace('"all"', '("all",)'),
    '“all” without quotes': PLAIN.replace('"all"', 'all'),
    '“all” in capitals': PLAIN.replace('"all"', '"ALL"'),
    '“all” without quotes in a list': PLAIN.replace('"all"', '[All]'),
    'fine-grained access': PLAIN.replace('"all"', '[0]'),
    'a step index without a list': PLAIN.replace('"all"', '0'),
    'a step index as a string': PLAIN.replace('"all"', '"0"'),
    'step indexes as strings in a list': PLAIN.replace('"all"', '["0"]'),
    'an access list as a string': PLAIN.replace('"all"', '"[0]"').replace('[]', '"[]"'),
    'a repeated step index': PLAIN.replace('"all"', '[0, 0]'),
    '“none” as a string': PLAIN.replace('[]', '"none"'),
    None: PLAIN.replace('[]', 'None'),
    null: PLAIN.replace('[]', 'null'),
    'an empty string': PLAIN.replace('[]', '""'),
    '“None” in a list': PLAIN.replace('[]', '["None"]'),
    '“all” for the first step': PLAIN.replace('[]', '"all"'),
    '“all” in a list for the first step': PLAIN.replace('[]', '["all"]'),
    'plural names': PLAIN.replace('model_id', 'model_ids').replace('access_list', 'access_lists'),
    'short names': PLAIN.replace('model_id', 'models').replace('subtasks', 'subtask').replace('access_list', 'access'),
    'capital names': PLAIN.replace('model_id', 'MODEL_ID')
      .replace('subtasks', 'Subtasks')
      .replace('access_list', 'ACCESS_LIST'),
    'names in words': PLAIN.replace('model_id', 'Model IDs')
      .replace('subtasks', 'Sub-tasks')
      .replace('access_list', 'Access list'),
    'names in camel case': PLAIN.replace('model_id', 'modelIds')
      .replace('subtasks', 'subTasks')
      .replace('access_list', 'accessList'),
    'text around the plan': `Sure! Here is the plan:\n\n${PLAIN}\n\nI hope that this helps [0].`,
    'text between the lists': PLAIN.replaceAll('\n', '\n\nNext come the others, of course:\n'),
    'a think tag': `<think>Let me see. Worker 2 checks.</think>\n${PLAIN}`,
    'a think tag that is never closed': `<think>Let me see.\n${PLAIN}`,
    'a closing think tag without an opening tag': `Let me see.</think>${PLAIN}`,
    'a plan only inside a think tag': `<think>${PLAIN}</think>`,
    'a draft in a think tag': `<think>${BLOCK_OF_NINE}</think>${PLAIN}`,
    'half a draft in a think tag': `<think>model_id = [9]</think>${PLAIN}`,
    'the last of several plans': `${PLAIN.replaceAll('it.', 'that.')}\n\nOr rather:\n${PLAIN}`,
    'the last valid plan of several': `${PLAIN}\n\nOr rather:\n${BLOCK_OF_NINE}`,
    'the last of several plans, with lists in another order': `${BLOCK_OF_NINE}\nBetter:\n${PLAIN.split('\n').toReversed().join('\n')}`,
    'a template before the plan': `The form is model_id = [...], subtasks = [...], access_list = [...].\n${PLAIN}`,
    'list names mentioned before the plan': `I choose the model_id first: 0.\nFor access_list = ["all"] is usual.\n\n${PLAIN}`,
    'a list name mentioned after the plan': `${PLAIN}\n\nWith only the smaller worker it would be model_id = [1].`,
    'one list written again': PLAIN.replace('\n', '\nsubtasks = ["No."]\nNo, like this:\n'),
    'a stray quote before the plan': `They say: subtasks = ["\n\n${PLAIN}`,
    'a stray single quote before the plan': `They say: subtasks = ['\n\n${PLAIN}`,
  };
  it.each(Object.entries(formats))('is parsed: %s', (_, text) => {
    expect(read(text)).toEqual({ workers: WORKERS, subtasks: SUBTASKS, access: ACCESS });
  });

  it('is tested in more than eighty formats', () => {
    expect(Object.keys(formats).length).toBeGreaterThan(80);
  });
});

describe('text inside subtasks', () => {
  const subtasks: [name: string, literal: string, value: string][] = [
    ['escaped quotes', String.raw`"Say \"yes\" or \'no\'."`, `Say "yes" or 'no'.`],
    ['brackets and commas', '"Use [1, 2], (3] and {4}."', 'Use [1, 2], (3] and {4}.'],
    [
      'the names of the lists',
      '"Write model_id = [1] and access_list = [[]]."',
      'Write model_id = [1] and access_list = [[]].',
    ],
    ['another complete plan', `'''${BLOCK_OF_NINE}'''`, BLOCK_OF_NINE],
    ['comments', '"# not a comment // nor this /* nor that"', '# not a comment // nor this /* nor that'],
    ['raw newlines', '"First.\n\nThen."', 'First.\n\nThen.'],
    ['raw newlines in single quotes', "'First.\nThen.'", 'First.\nThen.'],
    ['escaped newlines and tabs', String.raw`"First.\n\tThen."`, 'First.\n\tThen.'],
    ['every JSON escape', String.raw`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`, '"\\/\b\f\n\r\té😀'],
    ['Python escapes', String.raw`"\x41\U0001F600"`, 'A😀'],
    ['a continued line', '"one \\\ntwo"', 'one two'],
    ['LaTeX commands, which are not escapes', String.raw`"\sqrt{2} \(x\) \[y\]"`, String.raw`\sqrt{2} \(x\) \[y\]`],
    ['a raw string', String.raw`r"\n\"x\d"`, String.raw`\n\"x\d`],
    ['an escaped backslash at the end', String.raw`"C:\\"`, 'C:\\'],
    ['other kinds of quotes', `"It's 'so' \`here\` “there”"`, `It's 'so' \`here\` “there”`],
    ['an apostrophe in single quotes', "'Don't use x's value'", "Don't use x's value"],
    ['a typographic apostrophe', '‘Don’t’', 'Don’t'],
    ['quotes in triple quotes', `"""Say "yes" to 'it'"""`, `Say "yes" to 'it'`],
    ['a closing think tag', '"Write </think> first"', 'Write </think> first'],
    ['a fence', '"```python\\nprint(1)\\n```"', '```python\nprint(1)\n```'],
    ['the word “all”', '"all"', 'all'],
    ['other writing systems', '"求解 — задача ñ 👩‍👩‍👧"', '求解 — задача ñ 👩‍👩‍👧'],
  ];
  it.each(subtasks)('is parsed correctly: %s', (_, literal, value) => {
    const parsed = parseWorkflow(`model_id = [1]\nsubtasks = [${literal}]\naccess_list = [[]]`, LIMITS);
    expect(parsed).toEqual({ ok: true, thought: '', workflow: { steps: [{ worker: 1, subtask: value, access: [] }] } });
  });
});

describe('an access list', () => {
  const entries = (access: string) =>
    read(`model_id = [0, 0, 0, 0]\nsubtasks = ["a", "b", "c", "d"]\naccess_list = ${access}`);
  it.each([
    ['[[], "all", "all", ["all"]]', [[], [0], [0, 1], [0, 1, 2]]],
    ['[[], [0], [1, 0], [2, 0, 2]]', [[], [0], [0, 1], [0, 2]]],
    ['[None, 0, 1, "0, 2"]', [[], [0], [1], [0, 2]]],
    ['["none", [], [], ["all", 0]]', [[], [], [], [0, 1, 2]]],
  ])('is parsed: %s', (text, access) => {
    expect(entries(text)).toMatchObject({ access });
  });
});

describe('thoughts', () => {
  it.each([
    ['none', PLAIN, ''],
    ['before the lists', `Two workers are enough.\n\n${PLAIN}`, 'Two workers are enough.'],
    ['in think tags', `<think>\nTwo workers\nare enough.\n</think>\n\n${PLAIN}`, 'Two workers\nare enough.'],
    ['in an open think tag', `<think>Two are enough.\n${PLAIN}`, 'Two are enough.'],
    ['before a fence', `Two.\n\n\`\`\`python\n${PLAIN}\n\`\`\``, 'Two.'],
    ['before an object', 'Two.\n```json\n{\n  "model_id": [0], "subtasks": ["a"], "access_list": [[]]\n}\n```', 'Two.'],
    ['before bullets', `Two.\n1. **${PLAIN.replace(' =', '**:')}`, 'Two.'],
    ['on the same line', `Two are enough: \`${PLAIN}`, 'Two are enough:'],
    ['before lists in another order', `Two.\nsubtasks = ["a"]\nmodel_id = [0]\naccess_list = [[]]`, 'Two.'],
  ])('are separated from the plan: %s', (_, text, thought) => {
    expect(parseWorkflow(text, LIMITS)).toMatchObject({ ok: true, thought });
  });
});

describe('invalid texts', () => {
  const plan = (workers: string, subtasks: string, access: string) =>
    `model_id = ${workers}\nsubtasks = ${subtasks}\naccess_list = ${access}`;
  /** `piece`: the text at the offset that the problem reports. An empty `piece` stands for the end of the text. */
  const cases: [name: string, text: string, code: PlanProblemCode, piece: string, limits?: ParseLimits][] = [
    ['nothing', '', 'not-found', ''],
    ['prose', 'I would ask the second worker', 'not-found', 'I would'],
    ['only one list', 'model_id = [0]', 'not-found', ''],
    ['no access list', 'model_id = [0]\nsubtasks = ["a"]\nDone.', 'not-found', '\nDone.'],
    ['a step as an object', '[{"worker": 0, "task": "a"}]', 'not-found', '['],
    ['half an answer after a draft', `<think>${PLAIN}</think>\nmodel_id = [0]`, 'not-found', ''],
    ['a list cut off', 'model_id = [0, 1', 'cut-off', ''],
    ['a string cut off', 'model_id = [0]\nsubtasks = ["Solve', 'cut-off', ''],
    ['an escape cut off', 'model_id = [0]\nsubtasks = ["Solve\\', 'cut-off', ''],
    ['a triple-quoted string cut off', 'model_id = [0]\nsubtasks = ["""Solve"" it', 'cut-off', ''],
    ['access cut off', 'model_id = [0]\nsubtasks = ["a"]\naccess_list = [[], "al', 'cut-off', ''],
    ['a word cut off', 'model_id = [0]\nsubtasks = ["a"]\naccess_list = [al', 'cut-off', ''],
    ['a name cut off', 'model_id = [0]\nsubtasks = ["a"]\naccess_', 'cut-off', ''],
    ['cut off before a list', 'model_id = [0]\nsubtasks = ["a"]\naccess_list =', 'cut-off', ''],
    ['an object cut off', '{"model_id": [0], "subtasks": ["a"],', 'cut-off', ''],
    ['a comment cut off', 'model_id = [0 /* the', 'cut-off', ''],
    ['cut off while thinking, if the engine reports it', '<think>Let me', 'cut-off', '', { ...LIMITS, cutOff: true }],
    ['cut off after a draft', `${PLAIN}\nBetter:\nmodel_id = [1`, 'cut-off', '', { ...LIMITS, cutOff: true }],
    [
      'cut off inside a subtask that mentions the lists',
      "model_id = [0]\nsubtasks = [\"Write subtasks = ['x'] and access_list = [[]]",
      'cut-off',
      '',
      { ...LIMITS, cutOff: true },
    ],
    [
      'a list that is never closed in a complete answer',
      'model_id = [0, 1',
      'bad-syntax',
      '',
      { ...LIMITS, cutOff: false },
    ],
    ['a quote left open', plan('[0]', '["Solve]', '[[]]'), 'bad-syntax', '"Solve'],
    [
      'a broken list that contains another list',
      plan('[0]', '["Use subtasks = [\'x\'] now", oops]', '[[]]'),
      'bad-syntax',
      'oops',
    ],
    ['a bracket left open', plan('[0', '["a"]', '[[]]'), 'bad-syntax', 'subtasks'],
    ['the wrong bracket', plan('[0)', '["a"]', '[[]]'), 'bad-syntax', ')'],
    ['an expression', plan('[0]', '["a" * 2]', '[[]]'), 'bad-syntax', '* 2'],
    ['a bare name', plan('[gpt]', '["a"]', '[[]]'), 'bad-syntax', 'gpt'],
    ['an empty entry', plan('[0,,1]', '["a"]', '[[]]'), 'bad-syntax', ',1'],
    ['10,001 entries', plan('[0]', '["a"]', `[${'0,'.repeat(10_000)}7]`), 'bad-syntax', '7]'],
    ['deep nesting', plan('[0]', '["a"]', '[[[[[[[[[[[[0]]]]]]]]]]]]'), 'bad-syntax', '[[[[0'],
    ['a number for a list', plan('0', '["a"]', '[[]]'), 'wrong-type', '0'],
    ['an id that is not a number', plan('["gpt-5"]', '["a"]', '[[]]'), 'wrong-type', '"gpt-5"'],
    ['a fraction as an id', plan('[0.5]', '["a"]', '[[]]'), 'wrong-type', '0.5'],
    ['a boolean as an id', plan('[True]', '["a"]', '[[]]'), 'wrong-type', 'True'],
    ['a list as an id', plan('[[0]]', '["a"]', '[[]]'), 'wrong-type', '[0]'],
    ['a number as a subtask', plan('[0]', '[7]', '[[]]'), 'wrong-type', '7'],
    ['a list as a subtask', plan('[0]', '[["a"]]', '[[]]'), 'wrong-type', '["a"]'],
    ['an object as a subtask', plan('[0]', '[{"task": "a"}]', '[[]]'), 'wrong-type', '{'],
    ['null as a subtask', plan('[0]', '[None]', '[[]]'), 'wrong-type', 'None'],
    ['a word as access', plan('[0]', '["a"]', '["some"]'), 'wrong-type', '"some"'],
    ['lists in an access entry', plan('[0]', '["a"]', '[[[0]]]'), 'wrong-type', '[[0]]'],
    ['a missing subtask', plan('[0, 1]', '["a"]', '[[], []]'), 'unequal-lengths', '1]'],
    ['a missing access entry', plan('[0, 1]', '["a", "b"]', '[[]]'), 'unequal-lengths', '1]'],
    ['one subtask too many', plan('[0]', '["a", "b"]', '[[]]'), 'unequal-lengths', '"b"'],
    ['an id outside the pool', plan('[0, 3]', '["a", "b"]', '[[], []]'), 'worker-outside-pool', '3]'],
    [
      'ids that are valid only if they count from 1',
      plan('[1, 3]', '["a", "b"]', '[[], []]'),
      'worker-outside-pool',
      '3]',
    ],
    ['a negative id', plan('[-1]', '["a"]', '[[]]'), 'worker-outside-pool', '-1'],
    ['a step with access to itself', plan('[0, 1]', '["a", "b"]', '[[], [1]]'), 'access-self', '[1]'],
    ['a step with access to a later step', plan('[0, 1]', '["a", "b"]', '[[1], []]'), 'access-forward', '[1]'],
    ['access to a missing step', plan('[0, 1]', '["a", "b"]', '[[], [0, 2]]'), 'access-outside', '[0, 2]'],
    ['negative access', plan('[0, 1]', '["a", "b"]', '[[], [-1]]'), 'access-outside', '[-1]'],
    [
      'too many steps',
      plan('[0, 0, 1]', '["a", "b", "c"]', '[[], [], []]'),
      'too-many-steps',
      '1]',
      { poolSize: 2, maxSteps: 2 },
    ],
    ['no steps', plan('[]', '[]', '[]'), 'no-steps', '[]'],
    ['an empty subtask', plan('[0, 0]', '["a", "  "]', '[[], []]'), 'empty-subtask', '"  "'],
    [
      'the Conductor in the first step',
      plan('[2, 0]', '["a", "b"]', '[[], []]'),
      'conductor-not-last',
      '2, 0',
      { ...LIMITS, recursion: true },
    ],
    [
      'the Conductor in the only step',
      plan('[2]', '["a"]', '[[]]'),
      'conductor-not-last',
      '2]',
      { ...LIMITS, recursion: true },
    ],
    ['the last of two invalid plans', `${BLOCK_OF_NINE}\n${plan('[0]', '["a"]', '[[1]]')}`, 'access-outside', '[1]'],
    ['an invalid plan after a valid draft', `<think>${PLAIN}</think>\n${BLOCK_OF_NINE}`, 'worker-outside-pool', '9, 9'],
  ];
  it.each(cases)('are rejected with the offset of the problem: %s', (_, text, code, piece, limits) => {
    const parsed = parseWorkflow(text, limits ?? LIMITS);
    expect(parsed).toMatchObject({ ok: false, problem: { code } });
    if (parsed.ok) return;
    const { message, at } = parsed.problem;
    expect(message).toMatch(/^[A-Z].*\.$/s);
    expect(at).toBeLessThanOrEqual(text.length);
    expect(piece === '' ? text.slice(at) : text.slice(at, at + piece.length)).toBe(piece);
  });

  it('are rejected with a message that names the missing lists', () => {
    expect(read('model_id = [0]\nsubtasks = ["a"]\n\n')).toMatchObject({
      message: expect.stringContaining('access_list'),
    });
    expect(read(`<think>${PLAIN}</think>\nmodel_id = [0]`)).toMatchObject({
      message: expect.stringMatching(/subtasks and access_list are missing/),
    });
    expect(read('subtasks = ["a"] ok')).toMatchObject({ message: expect.stringMatching(/model_id and access_list/) });
  });

  it('are skipped to find the last valid workflow among 20,001', () => {
    expect(read(`${BLOCK_OF_NINE}\n`.repeat(20_000) + PLAIN)).toMatchObject({ workers: WORKERS });
    expect(read(`${PLAIN}\n`.repeat(20_000) + BLOCK_OF_NINE)).toMatchObject({ workers: WORKERS });
  });

  it('include an answer of over two million characters, but not one of about a million', () => {
    const long = `${'word '.repeat(220_000)}\n${PLAIN}`;
    expect(long.length).toBeGreaterThan(2 ** 20);
    expect(read(long)).toMatchObject({ workers: WORKERS });
    expect(read(' '.repeat(MAX_ANSWER_LENGTH + 1))).toMatchObject({ refused: 'too-long', at: MAX_ANSWER_LENGTH });
  });
});

describe('an empty workflow', () => {
  const empty = 'The answer stands.\nmodel_id = []\nsubtasks = []\naccess_list = []';
  it('is accepted when it is allowed', () => {
    const parsed = parseWorkflow(empty, { ...LIMITS, allowEmpty: true });
    expect(parsed).toEqual({ ok: true, workflow: { steps: [] }, thought: 'The answer stands.' });
  });
  it('needs all three lists to be empty', () => {
    const text = 'model_id = []\nsubtasks = []\naccess_list = [[]]';
    expect(read(text, { ...LIMITS, allowEmpty: true })).toMatchObject({ refused: 'unequal-lengths' });
  });
});

describe('ids that count from 1', () => {
  const numbered = (ids: string) => read(`model_id = ${ids}\nsubtasks = ["a", "b"]\naccess_list = [[], "all"]`);

  it.each(['[1, 3]', '[3, 3]', '["Model 3", "Model 1"]'])(
    '%s are rejected with a message that explains the numbering, and are not renumbered',
    (ids) => {
      expect(numbered(ids)).toMatchObject({
        refused: 'worker-outside-pool',
        message: expect.stringContaining('It counts from 0: the first worker is 0 and the last is 2.') as string,
      });
    },
  );

  it('are used as written if they are valid in the pool', () => {
    expect(numbered('[1, 2]')).toMatchObject({ workers: [1, 2] });
  });

  it('are not explained in the message if another id is 0 or larger than the size of the pool', () => {
    for (const ids of ['[0, 3]', '[3, 4]'])
      expect(numbered(ids)).toMatchObject({ message: expect.not.stringContaining('counts from 0') as string });
  });
});
