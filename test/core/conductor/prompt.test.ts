import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_EXAMPLES } from '../../../src/core/conductor/examples';
import { parseWorkflow } from '../../../src/core/conductor/parse';
import { conductorPrompt, promptSources, type PromptOptions } from '../../../src/core/conductor/prompt';
import { templateProblem } from '../../../src/core/conductor/placeholders';
import { DEFAULT_TEMPLATE } from '../../../src/core/conductor/prompt-template';
import {
  checkWorkflow,
  questionText,
  renderPrompt,
  sha256Hex,
  type EarlierRound,
  type PlanRequest,
} from '../../../src/core/contract';
import { gradedRuns } from '../../fixtures/graded-runs';
import { CONDUCTOR_ENTRY, pool, published, request, worker } from './requests';

const members = [
  worker(0, { description: 'Fast and\ncheap.' }),
  worker(1),
  worker(2, { kind: 'python', name: 'Python' }),
];
function rendered(requested: PlanRequest, options: PromptOptions = {}): { system: string; user: string } {
  const messages = renderPrompt(conductorPrompt(requested, options), promptSources(requested));
  const text = (role: string) => messages.find((message) => message.role === role)?.content ?? '';
  return { system: text('system'), user: text('user') };
}

const earlier: EarlierRound = {
  workflow: {
    steps: [
      { worker: 0, subtask: 'Solve it.', access: [] },
      { worker: 1, subtask: 'Check it.', access: [0] },
      { worker: 3, subtask: 'Look again.', access: [0, 1] },
    ],
  },
  outputs: ['It is 4.', null, null],
  answer: 'It is 4.',
};
it('the prompt of a follow-up adds only the earlier question and answer', () => {
  const context = { runId: 'run-1', question: 'What is 6 × 7?', answer: 'It is 42.' };
  const requested = request({ pool: members, question: 'Why?', context });
  const plain = rendered(request({ pool: members, question: 'Why?' }));
  expect(rendered(requested).system).toBe(plain.system);
  expect(rendered(requested).user).toBe(plain.user.replace('Why?', questionText({ text: 'Why?', context })));
  expect(JSON.stringify(conductorPrompt(requested))).not.toContain('It is 42.');
});

it('adds lessons after the system message, and changes nothing without them', () => {
  const plain = conductorPrompt(request({ pool: members }));
  expect(conductorPrompt(request({ pool: members, prompt: {} }))).toEqual(plain);
  const taught = rendered(request({ pool: members, prompt: { lessons: ['Plan first.', 'Check {{question}}.'] } }));
  const before = rendered(request({ pool: members }));
  expect(taught.system).toBe(
    `${before.system}\n\nLessons from earlier questions\n- Plan first.\n- Check {{question}}.`,
  );
  expect(taught.user).toBe(before.user);
});

it('sends lessons alone if the template has no system message, and none with given steps', () => {
  const prompt = { template: { fixed: '', question: '{{workers}} {{question}}' }, lessons: ['Plan first.'] };
  expect(rendered(request({ pool: members, prompt })).system).toBe('Lessons from earlier questions\n- Plan first.');
  const skeleton = [{ worker: 0, subtask: 'Solve it.', access: [] }];
  expect(rendered(request({ pool: members, prompt: { lessons: ['Plan first.'] } }), { skeleton }).system).not.toContain(
    'Lessons',
  );
});

const recursing = request({ pool: [...members, CONDUCTOR_ENTRY], recursion: true, round: 1, earlier: [earlier] });

describe('the variable part of the prompt', () => {
  it('shows the workers by name, the step limit and the question', () => {
    expect(rendered(request({ pool: members })).user).toBe(`The workers you can choose from:
Model id 0: Alder. Fast and cheap.
Model id 1: Birch
Model id 2: no model; runs the Python code in the responses it sees and gives back what the code prints

Write at most 5 steps.

Question:
What is 2 + 2?`);
  });

  it('says which workers can search the web', () => {
    const pool = [worker(0, { description: 'Fast.', web: true }), worker(1, { web: true })];
    expect(rendered(request({ pool })).user).toContain('Alder. Fast. It can search the web\n');
    expect(rendered(request({ pool })).user).toContain('Birch. It can search the web\n');
  });

  describe('the known facts about the workers', () => {
    const question = 'What is 17 * 23?';
    const members = [
      worker(0, { description: 'Fast and cheap' }),
      published(1, 'gpt-5', { name: 'GPT-5' }),
      worker(2, { kind: 'endpoint', domains: { maths: 0.825 }, strengths: { verify: 0.7 } }),
    ];
    const history = [
      ...gradedRuns('birch', 'solve', 8, 9, question),
      ...gradedRuns('birch', 'verify', 1, 3, 'Why does my SQL query return nothing?'),
      ...gradedRuns('alder', 'solve', 1, 2, question),
    ];
    const linesOf = (text: string) => text.split('\n').filter((line) => line.startsWith('Model id'));

    it('appear in one line per worker, as measured, declared or published', () => {
      expect(linesOf(rendered(request({ pool: members, question, history })).user)).toEqual([
        'Model id 0: Alder. Fast and cheap. Measured here: maths 1 of 2 right.',
        'Model id 1: GPT-5. Measured here: 9 of 12 right; maths 8 of 9. Published: maths 61, code 46, science 73, knowledge 61.',
        'Model id 2: Cedar. Declared: maths 83, verify 70.',
      ]);
    });

    it('mention the question’s domain only if runs in that domain were graded', () => {
      const [, line] = linesOf(rendered(request({ pool: members, question: 'Write a poem.', history })).user);
      expect(line).toContain('Measured here: 9 of 12 right. Published');
    });

    it('are not shown when workers are listed by number', () => {
      const requested = request({ pool: members, question, history });
      const bare = members.map(({ id }, index) => worker(index, { id }));
      const byNumber = { showWorkers: 'number' } as const;
      expect(rendered(requested, byNumber)).toEqual(rendered(request({ pool: bare, question }), byNumber));
    });

    it('leave the prompt unchanged when nothing is known', () => {
      // Simulated workers' strengths are omitted, because the workers' descriptions already state them.
      const simulated = members.map((_, index) => worker(index, { strengths: { solve: 0.9 }, description: 'Solves.' }));
      const plain = members.map((_, index) => worker(index, { description: 'Solves.' }));
      const others = gradedRuns('someone else', 'solve', 3, 3, question);
      expect(rendered(request({ pool: simulated, question, history: others }))).toEqual(
        rendered(request({ pool: plain, question })),
      );
    });

    it('are not shown for Python or the Conductor', () => {
      const pool = [worker(0), worker(1, { kind: 'python' }), CONDUCTOR_ENTRY];
      const graded = ['birch', 'conductor'].flatMap((id) => gradedRuns(id, 'solve', 1, 2, question));
      const requested = { pool, question, recursion: true };
      expect(rendered(request({ ...requested, history: graded }))).toEqual(rendered(request(requested)));
    });

    it('are also shown if the prompt gives the steps and the model writes only the subtasks', () => {
      const skeleton = [{ worker: 1, subtask: 'Solve it.', access: [] }];
      expect(rendered(request({ pool: members, question }), { skeleton }).user).toContain('Published: maths 61');
    });
  });

  it('lists workers only by number if `showWorkers` is `number`', () => {
    const { user } = rendered(request({ pool: members.slice(0, 2), maxSteps: 1 }), { showWorkers: 'number' });
    expect(user).toContain('choose from:\nModel id 0\nModel id 1\n\nWrite at most 1 step.');
    expect(user).not.toContain('Alder');
  });

  it('of a later round shows the earlier round and offers to keep its answer', () => {
    expect(rendered(recursing).user).toBe(`The workers you can choose from:
Model id 0: Alder. Fast and cheap.
Model id 1: Birch
Model id 2: no model; runs the Python code in the responses it sees and gives back what the code prints
Model id 3: you, the Conductor

Write at most 5 steps.

You may give the last step, if it is not the only one, to yourself (Model id 3). Then you are shown the responses of the other steps, and either write another workflow or keep the answer that there is. Do so where you cannot tell beforehand whether the workflow will succeed.

Question:
What is 2 + 2?

You have written a workflow for this question before. This is what came of it.

Round 1

Step 0, by Model id 0, sees nothing before it
<subtask>
Solve it.
</subtask>
<response>
It is 4.
</response>

Step 1, by Model id 1, sees step 0
<subtask>
Check it.
</subtask>
There is no response.

Step 2, by Model id 3, sees steps 0, 1
<subtask>
Look again.
</subtask>
There is no response.

The answer so far is the response of step 0. If you find it right, keep it: write three empty lists (model_id = [], subtasks = [], access_list = []). If not, write a new workflow. The workers of a new workflow see the question and their own steps, but nothing of the rounds before: tell them in the subtasks what they should know.`);
  });

  it('does not list the Conductor as a worker in a later round if recursion is off', () => {
    const { user } = rendered({ ...recursing, recursion: false });
    expect(user).not.toContain('you, the Conductor');
    expect(user).not.toContain('yourself');
    expect(user).toContain('Round 1');
  });

  it('does not offer to keep a missing answer', () => {
    const lost: EarlierRound = { ...earlier, outputs: [null, null, null], answer: '' };
    const { user } = rendered({ ...recursing, earlier: [lost] });
    expect(user).toContain('There is no answer yet. Write a new workflow.');
    expect(user).not.toContain('three empty lists');
  });

  it('stores references to the question, earlier subtasks and outputs instead of their texts', () => {
    const [, user] = conductorPrompt({ ...recursing, round: 2, earlier: [earlier, earlier] });
    expect(JSON.stringify(user)).not.toMatch(/2 \+ 2|Solve it|It is 4/);
    expect(user?.parts.flatMap((part) => (part.kind === 'output' ? [[part.round, part.step]] : []))).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });
});

describe('the fixed part of the prompt', () => {
  it('is one text with a digest, whatever the question, pool, step limit and round are', () => {
    const [system] = conductorPrompt(recursing);
    const part = system?.parts[0];
    expect(system?.role).toBe('system');
    expect(system?.parts).toHaveLength(1);
    expect(part?.kind === 'blob' && part.hash === sha256Hex(part.text)).toBe(true);
    expect(conductorPrompt(request({ question: 'Another?', maxSteps: 3 }))[0]).toEqual(system);
  });

  it('comes first in every prompt, and is always the same', () => {
    const system = rendered(request()).system;
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 5 }),
        (question, size, maxSteps) => {
          const requested = request({ question, pool: pool(size), maxSteps });
          const [first, ...others] = renderPrompt(conductorPrompt(requested), promptSources(requested));
          expect(first).toEqual({ role: 'system', content: system });
          expect(others.some(({ role }) => role === 'system')).toBe(false);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('uses the given digest function', () => {
    const [system] = conductorPrompt(request(), { digest: (text) => `${text.length} characters` });
    expect(system?.parts[0]).toMatchObject({ kind: 'blob', hash: expect.stringMatching(/^\d+ characters$/) });
  });

  it('names the three lists and contains no placeholder', () => {
    const { system } = rendered(request());
    for (const name of ['model_id = ', 'subtasks = ', 'access_list = ']) expect(system).toContain(name);
    expect(system).not.toMatch(/\{\{/);
  });

  it('explains the access scheme, and shows the examples in this scheme', () => {
    expect(rendered(request({ access: 'binary' })).system).toContain('access_list = [[], [], "all"]');
    expect(rendered(request({ access: 'fine' })).system).toContain('access_list = [[], [], [0, 1]]');
    expect(rendered(request({ access: 'fine' })).system).not.toContain('"all"');
  });

  it('is left out if the template has an empty fixed part', () => {
    const template = { fixed: '', question: '{{limit}} for {{question}} {{unknown}}' };
    const messages = renderPrompt(conductorPrompt(request(), { template }), promptSources(request()));
    expect(messages).toEqual([{ role: 'user', content: '5 steps for What is 2 + 2? {{unknown}}' }]);
  });

  it('numbers the given examples', () => {
    const example = {
      question: 'Which way?',
      thought: 'Ask one.',
      workflow: { steps: [{ worker: 1, subtask: 'Point.', access: [] }] },
    };
    const { system } = rendered(request(), {
      template: { ...DEFAULT_TEMPLATE, fixed: '{{examples}}' },
      examples: [example],
    });
    expect(system).toContain(
      'Example 1\nWorkers: Model id 0, Model id 1\nQuestion: Which way?\nYou write:\nAsk one.\n\nmodel_id = [1]',
    );
  });
});

describe('the default examples', () => {
  it.each(DEFAULT_EXAMPLES.map((example) => [example.question, example] as const))(
    'are valid in both access schemes: %s',
    (_question, example) => {
      const poolSize = example.pool ?? 0;
      expect(checkWorkflow(example.workflow, { poolSize, maxSteps: 5 })).toBeNull();
      for (const [index, step] of example.workflow.steps.entries()) expect([0, index]).toContain(step.access.length);
    },
  );

  it.each(['binary', 'fine'] as const)('can be parsed from a prompt with the access scheme “%s”', (access) => {
    for (const example of DEFAULT_EXAMPLES) {
      const template = { ...DEFAULT_TEMPLATE, fixed: '{{examples}}' };
      const { system } = rendered(request({ access }), { template, examples: [example] });
      const written = system.slice(system.indexOf('You write:\n') + 'You write:\n'.length);
      const read = parseWorkflow(written, { poolSize: example.pool ?? 0, maxSteps: 5 });
      expect(read).toEqual({ ok: true, workflow: example.workflow, thought: example.thought });
    }
  });
});

describe('templateProblem', () => {
  it('accepts the default template, and rejects a template without {{question}} in its variable part', () => {
    expect(templateProblem(DEFAULT_TEMPLATE)).toBeNull();
    expect(templateProblem({ fixed: '{{question}}', question: '' })).toContain('{{question}}');
  });
});

describe('a prompt written by the user', () => {
  const template = { fixed: 'Plan: {{examples}}', question: 'Pool:\n{{workers}}\nTask: {{question}}' };

  it('replaces the default prompt and the model’s own prompt', () => {
    const requested = request({ pool: members, prompt: { template, examples: 'none', showWorkers: 'number' } });
    const options: PromptOptions = { template: DEFAULT_TEMPLATE, showWorkers: 'name' };
    expect(rendered(requested, options)).toEqual({
      system: 'Plan:',
      user: `Pool:\nModel id 0\nModel id 1\nModel id 2: no model; runs the Python code in the responses it sees and gives back what the code prints\nTask: What is 2 + 2?`,
    });
  });

  it('contains the examples that the user chose', () => {
    const systemOf = (prompt: PlanRequest['prompt']) => rendered(request(prompt ? { prompt } : {})).system;
    expect(systemOf({ examples: 'other' })).toBe(systemOf(undefined));
    expect(systemOf({ examples: 'same' })).toContain('longest_run');
    expect(systemOf({ examples: 'none' })).not.toContain('Example 1');
    expect(systemOf({ examples: 'own', ownExamples: 'Mine: {{access}}' })).toMatch(/Mine: \{\{access\}\}$/);
  });

  it('can have its own text for later rounds', () => {
    const later = 'Before:\n{{rounds}}\nNow: {{choice}}';
    const { user } = rendered({ ...recursing, prompt: { later } });
    expect(user).toContain('\n\nBefore:\nRound 1\n\nStep 0, by Model id 0');
    expect(user).toContain('\nNow: The answer so far is the response of step 0.');
    expect(user).not.toContain('You have written a workflow');
  });

  it('is used for given steps only if it contains {{steps}}', () => {
    const skeleton = [{ worker: 0, subtask: 'Solve it.', access: [] }];
    const requested = request({ prompt: { template } });
    expect(rendered(requested, { skeleton })).toEqual(rendered(request(), { skeleton }));
    const shown = { ...template, question: `${template.question}\n{{steps}}` };
    expect(rendered(request({ prompt: { template: shown } }), { skeleton }).system).toContain('Plan:');
  });
});

describe('the prompt of a later round', () => {
  it('states that "all" includes the earlier rounds if `showsEarlier` is set', () => {
    const { user } = rendered({ ...recursing, showsEarlier: true });
    expect(user).toContain('"all" also sees the subtasks and responses of the rounds before');
    expect(rendered(recursing).user).not.toContain('also sees');
  });

  it('shortens long responses to fit the model’s context, and marks them as shortened', () => {
    const long: EarlierRound = { ...earlier, outputs: ['x'.repeat(20_000), 'y'.repeat(300), null] };
    const requested = { ...recursing, earlier: [long] };
    const { system, user } = rendered(requested, { contextWindow: 4096, maxTokens: 1024 });
    expect(user).toMatch(/x\n\[… \d+ characters left out …\]\nx/);
    expect(user).toContain('y'.repeat(300));
    expect((system.length + user.length) / 4).toBeLessThan(0.8 * 4096 - 1024 + 100);
    expect(rendered(requested, { contextWindow: 128_000 }).user).toContain('x'.repeat(20_000));
  });
});
