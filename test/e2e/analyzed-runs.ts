/**
 * @file Generates made-up runs of simulated workers, with data for every plot of the page
 * *Analyze*.
 */
import { createHash } from 'node:crypto';
import { seededRandom, type ConductorInfo, type EventBody, type Role, type Step } from '../../src/core/contract';
import { poolWorker, runStarted, stampEvents } from '../fixtures/run-events';

const GRAMMAR = 'root ::= plan';

const QUESTIONS = [
  'Use 3, 4, 7, 8, 25 and 50 to reach 537.',
  'Write a Python function that reverses a linked list.',
  'Who wrote the opera Fidelio, and in which year was it first performed?',
  'Why does ice float on water? Explain the hydrogen bonds.',
  'Write a short story about a lighthouse keeper.',
] as const;

const NAMES = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm'];
const POOL = NAMES.map((name, index) => poolWorker(index, { name, price: { input: 1, output: 2 } }));

type Planned = readonly [role: Role, worker: number, ...access: number[]];

const CONDUCTORS: readonly ConductorInfo[] = [
  { id: 'policy', label: 'Learned policy', kind: 'policy' },
  { id: 'heuristic', label: 'Built in', kind: 'heuristic' },
  { id: 'webllm:qwen', label: 'Qwen2.5 7B', kind: 'webllm', model: 'Qwen2.5-7B' },
  { id: 'template:best-single', label: 'Alder alone', kind: 'template' },
  { id: 'template:mixture-of-agents', label: 'Mixture of Agents', kind: 'template' },
];
const CHANCES = [0.8, 0.62, 0.68, 0.4, 0.7];
const PRICES = [0.0016, 0.0009, 0.0021, 0.0003, 0.006];

/** Returns an export file with one run per line. About a quarter of the runs are not graded. */
export function analyzedRuns(count: number, newest = Date.now()): string {
  const random = seededRandom(7);
  const draw = (below: number) => Math.floor(random() * below);
  const lines: string[] = [];
  for (let index = 0; index < count; index++) {
    const at = draw(CONDUCTORS.length);
    const conductor = CONDUCTORS[at] ?? CONDUCTORS[0];
    if (!conductor) continue;
    const isLate = index > count * 0.6;
    const worker = () => (isLate && random() < 0.6 ? 2 : draw(NAMES.length));
    const rounds = at !== 3 && random() < 0.2 ? 2 : 1;
    const bodies: EventBody[] = [
      runStarted({
        question: { text: QUESTIONS[draw(QUESTIONS.length)] ?? '' },
        pool: POOL,
        conductor,
        recursion: rounds > 1,
      }),
    ];
    let elapsed = 0;
    for (let round = 0; round < rounds; round++) {
      bodies.push(...roundBodies(round, conductor, plan(at, worker, isLate, random), { random, usd: PRICES[at] ?? 0 }));
      elapsed += 1000;
    }
    bodies.push({ type: 'run-finished', round: rounds - 1, step: lastStep(bodies) });
    const isRight = random() < (CHANCES[at] ?? 0.5) + (rounds > 1 ? 0.1 : 0);
    if (random() < 0.75) bodies.push({ type: 'run-graded', correct: isRight, by: 'grader', detail: '' });
    const events = stampEvents(bodies, {
      runId: crypto.randomUUID(),
      at: newest - (count - index) * 90 * 60_000 - elapsed,
      gap: 40 + draw(160) + at * 40,
    });
    lines.push(JSON.stringify({ format: 'podium-run', version: 1, events }));
  }
  return `${lines.join('\n')}\n`;
}

function lastStep(bodies: readonly EventBody[]): number {
  const last = bodies.findLast(({ type }) => type === 'step-finished');
  return last?.type === 'step-finished' ? last.step : 0;
}

function plan(conductor: number, worker: () => number, isLate: boolean, random: () => number): readonly Planned[] {
  if (conductor === 3) return [['solve', 0]];
  if (conductor === 4) {
    return [
      ['solve', 0],
      ['solve', 1],
      ['solve', 2],
      ['solve', 3],
      ['solve', 4],
      ['aggregate', 1, 0, 1, 2, 3, 4],
    ];
  }
  const shapes: readonly (readonly Planned[])[] = [
    [['solve', worker()]],
    [
      ['solve', worker()],
      ['solve', worker(), 0],
    ],
    [
      ['solve', worker()],
      ['solve', worker()],
      ['decide', worker(), 0, 1],
    ],
    [
      ['plan', worker()],
      ['solve', worker(), 0],
      ['decide', worker(), 0, 1],
    ],
    [
      ['solve', worker()],
      ['verify', worker(), 0],
      ['refine', worker(), 0, 1],
    ],
    [['solve', worker()], ['solve', worker()], ['refine', worker(), 0, 1], ['refine', worker(), 0, 1], ['decide', worker(), 2, 3]], // prettier-ignore
    [
      ['solve', worker()],
      ['solve', worker()],
      ['aggregate', worker(), 0, 1],
      ['decide', worker(), 2],
    ],
  ];
  const chosen = isLate && random() < 0.75 ? 0 : Math.floor(random() ** 1.3 * shapes.length);
  return shapes[chosen] ?? [];
}

function roundBodies(
  round: number,
  conductor: ConductorInfo,
  planned: readonly Planned[],
  { random, usd }: { random: () => number; usd: number },
): EventBody[] {
  const steps = planned.map(([role, worker, ...access], index): Step => ({
    worker,
    role,
    access,
    subtask: `${role} part ${index + 1}`,
  }));
  const isModel = conductor.kind === 'webllm';
  const key = (index: number) => ({ round, step: index, attempt: 0 });
  const usage = { input: 100, output: 50 };
  return [
    { type: 'round-started', round },
    {
      type: 'plan-started',
      round,
      conductor,
      messages: isModel ? [{ role: 'user', parts: [{ kind: 'question' }] }] : [],
      ...(isModel && random() < 0.7
        ? { grammar: { hash: createHash('sha256').update(GRAMMAR).digest('hex'), text: GRAMMAR } }
        : {}),
    },
    ...(isModel && random() < 0.2
      ? [
          {
            type: 'plan-retried' as const,
            round,
            problem: { code: 'bad-syntax' as const, message: 'No list.', at: 0 },
            fault: null,
            text: '',
            usage: null,
            cost: null,
            next: 'stricter' as const,
          },
        ]
      : []),
    ...steps.map((each, index): EventBody => ({ type: 'plan-step-known', round, index, step: each })),
    {
      type: 'plan-finished',
      round,
      workflow: { steps },
      thought: '',
      text: '',
      source: 'conductor',
      usage: isModel ? usage : null,
      cost: isModel ? 0.0004 : null,
      finishReason: null,
    },
    ...steps.flatMap((step, index): EventBody[] => [
      { type: 'step-queued', ...key(index) },
      {
        type: 'step-started',
        ...key(index),
        workerId: POOL[step.worker]?.id ?? '',
        messages: [{ role: 'user', parts: [{ kind: 'question' }, { kind: 'subtask', round, step: index }] }],
        sha256: 'a'.repeat(64),
      },
      { type: 'step-delta', ...key(index), channel: 'content', text: 'It is ' },
      {
        type: 'step-finished',
        ...key(index),
        output: 'It is so.',
        reasoning: '',
        usage,
        cost: usd * (0.5 + random()),
        finishReason: 'stop',
      },
    ]),
    { type: 'round-finished', round, outcome: 'answered' },
  ];
}
