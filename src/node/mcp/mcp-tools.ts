/** @file The tools of the MCP server: conduct, plan, compare, runs, result and cancel. */
import { McpServer, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { version } from '../../../package.json';
import { BY_HAND_INFO } from '../../core/conductor/by-hand';
import {
  EFFORTS,
  fault,
  FaultError,
  heldPlan,
  isKnownEvent,
  LONGEST_NAME,
  MOST_FILES,
  money,
  sha256Hex,
  toFault,
  type QuestionFile,
  type Run,
  type Workflow,
} from '../../core/contract';
import type { LiveRun } from '../../core/runs/live-run';
import type { NewRun } from '../../core/runs/new-run';
import { readBytes } from '../../platform/documents/read-bytes';
import type { Engine } from '../engine';
import { UsageError } from '../exit-codes';
import { faultText } from '../fault-text';
import { ScorePrinter } from '../run/score-printer';
import { comparisonContent, comparisonOf, comparisonPlan, indexesOf } from './comparison';
import type { ConductedRuns } from './conducted-runs';
import { contentOf, runContent } from './run-content';
import type { SavedRuns } from './saved-runs';

export interface McpToolsOptions {
  readonly engine: Engine;
  readonly conducted: ConductedRuns;
  /** The file of the tool *runs*. `null`: there is no such tool. */
  readonly saved: SavedRuns | null;
  /** The budget of the whole server, in US dollars. `null`: all workers are free. */
  readonly usd: number | null;
}

/** Maximum lengths in UTF-16 units. */
const LONGEST_QUESTION = 200_000;
const LONGEST_TEXT = 2_000_000;
/** Maximum number of workers of a comparison. */
const MOST_COMPARED = 8;
/** Number of workers that are compared if the client names none. */
const USUALLY_COMPARED = 4;

const asked = z.object({
  question: z.string().trim().min(1).max(LONGEST_QUESTION),
  files: z
    .array(z.object({ name: z.string().min(1), text: z.string().max(LONGEST_TEXT) }))
    .max(MOST_FILES)
    .optional()
    .describe('Context files, as text'),
  budget: z.number().positive().optional().describe('Maximum cost in US dollars'),
});
const planned = asked.extend({
  effort: z.enum(EFFORTS).optional(),
  conductor: z.string().optional().describe('Id of the Conductor that plans, such as policy or template:consensus'),
});
const runId = z.object({ run: z.string().describe('Id of a run of this server') });

const NOT_FINISHED = (id: string) =>
  `The run ${id} is in progress. Call the tool “result” with this id to wait for it, or “cancel” to stop it.`;

/** Every client gets a server of its own. All of them share the runs. */
export function createMcpServer({ engine, conducted, saved, usd }: McpToolsOptions): McpServer {
  const server = new McpServer({ name: 'podium', title: 'Podium', version });
  const READS = { readOnlyHint: true } as const;

  server.registerTool(
    'conduct',
    {
      title: 'Answer with several models',
      description: `Answers a question: a Conductor plans steps for several models, the models carry them out, and the output of the last step is the answer. If it takes longer than 45 seconds, returns the id of the run for “result”.${usd === null ? '' : ' The models cost money.'}`,
      inputSchema: planned,
      outputSchema: runContent,
    },
    (given, context) =>
      reply(async () => {
        const live = await conducted.start(await requestOf(given));
        return conductedResult(await followed(live, conducted, context, true));
      }),
  );

  server.registerTool(
    'plan',
    {
      title: 'Plan without calling workers',
      description: 'Shows the plan for a question and what it may cost. No worker is called.',
      inputSchema: planned,
      outputSchema: runContent.pick({ conductor: true, steps: true }).extend({
        plan_cost_usd: z.number().nullable().describe('What writing the plan has cost. null: unknown'),
        calls: z.int().describe('Maximum number of calls'),
        cost_usd: z
          .object({ low: z.number(), high: z.number() })
          .nullable()
          .describe('What carrying out the plan may cost. null: a price is unknown'),
      }),
      annotations: READS,
    },
    (given, { mcpReq: { signal } }) =>
      reply(async () => {
        const request = await requestOf(given);
        const { run, workflow } = await planOnly(await conducted.start({ ...request, approval: true }), signal);
        if (!workflow) throw new FaultError(run.fault ?? fault('plan-failed', 'There is no plan.'));
        const { calls, range, free } = engine.runs.ceiling(request, workflow);
        const cost = free ? { low: 0, high: 0 } : range;
        const { conductor, steps, cost_usd: plan_cost_usd } = contentOf(run);
        const content = { conductor, steps, plan_cost_usd, calls, cost_usd: cost };
        const words = cost ? `${money(cost.low)} to ${money(cost.high)}` : 'unknown';
        const lines = steps.map(({ step, worker, role, sees, subtask }) => {
          return `${step}. ${worker}, ${role}${sees.length > 0 ? `, sees ${sees.join(', ')}` : ''}: ${subtask}`;
        });
        return {
          content: [text([...lines, `At most ${calls} calls. Cost: ${words}.`].join('\n'))],
          structuredContent: content,
        };
      }),
  );

  server.registerTool(
    'compare',
    {
      title: 'Compare the answers of several models',
      description:
        'Lets several models answer the same question independently, and shows where they agree and disagree.',
      inputSchema: asked.extend({
        workers: z
          .array(z.string())
          .min(2)
          .max(MOST_COMPARED)
          .optional()
          .describe(`Ids or names of workers. Default: the first ${USUALLY_COMPARED}. Workers: ${workerNames(engine)}`),
        analyst: z.string().optional().describe('The worker that compares the answers. Default: the first one'),
      }),
      outputSchema: comparisonContent.extend({ run: runContent }),
    },
    ({ workers, analyst, ...given }, context) =>
      reply(async () => {
        const names = workers ?? engine.pool.workers.slice(0, USUALLY_COMPARED).map(({ id }) => id);
        const found = indexesOf([...names, analyst ?? names[0] ?? ''], engine.pool.workers);
        if ('unknown' in found)
          throw new UsageError(`There is no worker “${found.unknown}”. Workers: ${workerNames(engine)}.`);
        const plan = comparisonPlan(found.indexes.slice(0, -1), found.indexes.at(-1) ?? 0);
        const live = await conducted.start(await requestOf(given, plan));
        return conductedResult(await followed(live, conducted, context, true), true);
      }),
  );

  server.registerTool(
    'result',
    {
      title: 'Wait for a run',
      description: 'Waits up to 45 seconds for a run that “conduct” or “compare” has started.',
      inputSchema: runId,
      outputSchema: runContent.extend({ comparison: comparisonContent.optional() }),
      annotations: READS,
    },
    ({ run: id }, context) =>
      reply(async () => {
        const run = await followed(conducted.find(id), conducted, context, false);
        const result = conductedResult(run);
        const content = isComparison(run) ? { ...contentOf(run), comparison: comparisonOf(run) } : contentOf(run);
        return { ...result, structuredContent: content };
      }),
  );

  server.registerTool(
    'cancel',
    {
      title: 'Stop a run',
      description: 'Stops a run and cancels its calls.',
      inputSchema: runId,
      outputSchema: runContent,
    },
    ({ run: id }) =>
      reply(async () => {
        const live = conducted.find(id);
        live.stop();
        const run = await live.done;
        const words = run.status === 'cancelled' ? 'is stopped' : 'had ended before';
        return { content: [text(`The run ${id} ${words}.`)], structuredContent: contentOf(run) };
      }),
  );

  if (saved) {
    server.registerTool(
      'runs',
      {
        title: 'Read saved runs',
        description:
          'Searches the saved runs of this server’s file, or reads one of them with the outputs of its steps.',
        inputSchema: z.object({
          search: z.string().optional().describe('Words in the question, the answer, the title, the note or the tags'),
          run: z.string().optional().describe('Id of the run to read'),
          limit: z.int().min(1).max(50).default(10),
        }),
        outputSchema: z.object({ found: z.int().describe('Number of all matching runs'), runs: z.array(runContent) }),
        annotations: READS,
      },
      ({ search = '', run: id, limit }) =>
        reply(async () => {
          const all = await saved.search(search);
          const found = id === undefined ? all : all.filter((run) => run.id === id);
          if (id !== undefined && found.length === 0) throw new UsageError(`The file has no run “${id}”.`);
          const runs = found.slice(0, limit).map((run) => contentOf(run, id !== undefined));
          const lines = runs.map(
            ({ run, question, answer }) => `${run}\nQuestion: ${question}\nAnswer: ${answer ?? 'none'}`,
          );
          const words = lines.length === 0 ? 'No run has these words.' : lines.join('\n\n');
          return { content: [text(words)], structuredContent: { found: found.length, runs } };
        }),
    );
  }
  return server;

  async function requestOf(given: z.infer<typeof planned>, plan?: Workflow): Promise<NewRun> {
    const { question, files = [], budget, effort, conductor: id } = given;
    const conductor = engine.conductors.find((info) => info.id === id);
    if (id !== undefined && !conductor) {
      const ids = engine.conductors.map((info) => info.id).join(', ');
      throw new UsageError(`There is no Conductor “${id}”. Available: ${ids}.`);
    }
    const request = engine.request(question, {
      files: await Promise.all(files.map(fileOf)),
      ...(plan ? { plan } : {}),
      ...(effort ? { effort } : {}),
      ...(conductor ? { conductor } : {}),
    });
    const { caps } = request;
    const limited = budget === undefined ? caps : { ...caps, usd: Math.min(budget, caps.usd ?? budget) };
    return { ...request, caps: limited, dayUsd: usd };
  }
}

function isComparison({ conductor, rounds }: Run): boolean {
  return conductor.id === BY_HAND_INFO.id && (rounds[0]?.steps.length ?? 0) > 2;
}

function workerNames({ pool }: Engine): string {
  return pool.workers.map(({ id }) => id).join(', ');
}

async function fileOf({ name, text: content }: { name: string; text: string }): Promise<QuestionFile> {
  const { kind, text: read } = await readBytes(name, new TextEncoder().encode(content));
  return { name: name.slice(-LONGEST_NAME), kind, text: read, hash: sha256Hex(read) };
}

function text(words: string) {
  return { type: 'text' as const, text: words };
}

/** Turns errors into results that the client's model can read. */
async function reply(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (thrown) {
    const words = thrown instanceof UsageError ? thrown.message : faultText(toFault(thrown));
    return { content: [text(words)], isError: true };
  }
}

function conductedResult(run: Run, isCompared = false): CallToolResult {
  const content = contentOf(run);
  const structuredContent = isCompared ? { ...comparisonOf(run), run: content } : content;
  if (run.status === 'running') return { content: [text(NOT_FINISHED(run.id))], structuredContent };
  if (run.status === 'finished') return { content: [text(run.answer ?? '')], structuredContent };
  return {
    content: [text(content.error ?? 'The run was stopped before there was an answer.')],
    structuredContent,
    isError: true,
  };
}

/**
 * Waits for a run and reports its progress, if the client asks for it.
 * @param stops whether the run is stopped if the client cancels its request
 */
async function followed(
  live: LiveRun,
  conducted: ConductedRuns,
  { mcpReq }: ServerContext,
  stops: boolean,
): Promise<Run> {
  const { signal, _meta: { progressToken } = {}, notify } = mcpReq;
  let progress = 0;
  const send = (message: string) => {
    if (progressToken === undefined) return;
    progress += 1;
    const params = { progressToken, progress, message: message.trim() };
    // The client may be gone.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const printer = new ScorePrinter({ error: send, out: () => undefined });
  const unsubscribe = live.subscribe((run, event) => {
    if (isKnownEvent(event)) printer.print(run, event);
  });
  const stop = () => live.stop();
  if (stops) signal.addEventListener('abort', stop, { once: true });
  try {
    return await conducted.wait(live, signal);
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', stop);
  }
}

/** Waits until the run has a plan, and stops it before a worker is called. */
async function planOnly(live: LiveRun, signal: AbortSignal): Promise<{ run: Run; workflow: Workflow | null }> {
  const stop = () => live.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const held = await new Promise<Run>((resolve) => {
    const unsubscribe = live.subscribe((run) => {
      if (heldPlan(run)) resolve(run);
    });
    if (heldPlan(live.run)) resolve(live.run);
    void live.done.then((run) => {
      unsubscribe();
      resolve(run);
    });
  });
  stop();
  await live.done;
  signal.removeEventListener('abort', stop);
  return { run: held, workflow: heldPlan(held)?.plan.workflow ?? null };
}
