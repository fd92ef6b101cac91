import { describe, expect, it } from 'vitest';
import { createByHandConductor } from '../../../src/core/conductor/by-hand';
import { createHeuristicConductor } from '../../../src/core/conductor/heuristic';
import { TEMPLATES } from '../../../src/core/conductor/templates';
import { conductorPrompt, fixedText } from '../../../src/core/conductor/prompt';
import { DEFAULT_EXAMPLES } from '../../../src/core/conductor/examples';
import { DEFAULT_TEMPLATE } from '../../../src/core/conductor/prompt-template';
import { canSee, type Conductor, type PlanRequest, type Workflow } from '../../../src/core/contract';
import { imageFile } from '../../fixtures/memory-images';
import { poolWorker } from '../../fixtures/run-events';

const IMAGES = ['one', 'two'].map((name) => {
  const { hash, type, width, height, size } = imageFile(name);
  return { hash, type, width, height, size };
});

function request(more: Partial<PlanRequest> = {}): PlanRequest {
  return {
    question: 'What does the sign say?',
    images: IMAGES,
    pool: [0, 1, 2, 3].map((index) =>
      poolWorker(index, {
        kind: 'endpoint',
        origin: 'https://api.example.com',
        ...(index === 3 ? { canSee: true } : {}),
      }),
    ),
    maxSteps: 5,
    effort: 'thorough',
    access: 'fine',
    recursion: false,
    round: 0,
    earlier: [],
    seed: 7,
    candidates: 1,
    choice: 'vote',
    planRetries: 1,
    ...more,
  };
}

async function planOf(conductor: Conductor, requested: PlanRequest): Promise<Workflow> {
  for await (const event of conductor.propose(requested, new AbortController().signal)) {
    if (event.type === 'plan-finished') return event.workflow;
  }
  throw new Error('There is no plan.');
}

const PLANNERS = [
  ['heuristic', createHeuristicConductor()] as const,
  ...TEMPLATES.map((template) => [template.info.id, template.create()] as const),
];

describe('a plan for a question with images', () => {
  it.each(PLANNERS)(
    'by %s uses a worker that can see images for each step that sees no other step',
    async (_name, conductor) => {
      const requested = request({ maxSteps: 16 });
      const { steps } = await planOf(conductor, requested);
      const beginners = steps.filter(({ access }) => access.length === 0);
      expect(beginners.length).toBeGreaterThan(0);
      for (const { worker } of beginners) expect(requested.pool[worker]).toMatchObject({ canSee: true });
    },
  );

  it.each(PLANNERS)('by %s is the same as without images if no worker can see images', async (_name, conductor) => {
    const blind = request().pool.map((worker) => ({ ...worker, canSee: false }));
    const with_ = await planOf(conductor, request({ pool: blind }));
    expect(with_).toEqual(await planOf(conductor, request({ pool: blind, images: [] })));
  });

  it('is not changed if the user wrote it', async () => {
    const workflow = { steps: [{ worker: 0, subtask: 'Guess', access: [] }] };
    expect(await planOf(createByHandConductor(workflow), request())).toEqual(workflow);
  });
});

describe('the Conductor’s prompt for a question with images', () => {
  const textOf = (requested: PlanRequest) =>
    conductorPrompt(requested).map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''));

  it('states the number of images, and which workers can see them, after the fixed part', () => {
    const [fixed, requested] = textOf(request());
    expect(fixed).toBe(fixedText(DEFAULT_TEMPLATE, DEFAULT_EXAMPLES, 'fine'));
    expect(requested).toContain('The question comes with 2 images. Only Model id 3 can see them');
    expect(textOf(request({ pool: request().pool.slice(0, 3) }))[1]).toContain('None of the workers can see images.');
  });

  it('does not mention images if the question has none', () => {
    const { images: _images, ...plain } = request();
    const blind = { ...plain, pool: plain.pool.map(({ canSee: _sees, ...worker }) => worker) };
    expect(conductorPrompt(plain)).toEqual(conductorPrompt(blind));
    expect(conductorPrompt({ ...plain, images: [] })).toEqual(conductorPrompt(plain));
  });

  it('contains the images only if the Conductor’s model can see images', () => {
    const hashes = IMAGES.map(({ hash }) => hash);
    const sent = (sees?: boolean) =>
      conductorPrompt(request(), sees === undefined ? {} : { sees }).map(({ images }) => images);
    expect(sent(true)).toEqual([undefined, hashes]);
    expect(sent(false)).toEqual([undefined, undefined]);
    expect(sent()).toEqual([undefined, undefined]);
  });
});

describe('canSee', () => {
  it.each([
    ['endpoint', true, true],
    ['endpoint', false, false],
    ['endpoint', undefined, false],
    ['simulated', true, false],
    ['local', true, false],
    ['python', true, false],
    ['conductor', true, false],
  ] as const)('is true only for an endpoint with the flag `canSee`: %s, %s', (kind, flag, expected) => {
    expect(canSee(poolWorker(0, flag === undefined ? { kind } : { kind, canSee: flag }))).toBe(expected);
  });
});
