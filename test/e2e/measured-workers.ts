/** @file Workers on a server that solve generated tasks of some domains, and check every planted answer. */
import { MEASURED_FAMILIES, measuredTask } from '../../src/core/measurement/families';
import { GENERATED_TASKS } from '../../src/core/measurement/session/generated-tasks';
import type { MadeTask } from '../../src/core/measurement/session/tasks';
import { chunk, event, openStream, usage, type Reply } from '../fixtures/openai-scenarios';
import type { OpenAiServer } from '../fixtures/openai-server';

/** @param domains the domains whose tasks the worker solves */
export function measuredReply(server: OpenAiServer, domains: readonly string[]): Reply {
  return ({ response, model, messages }) => {
    const body = server.calls(model).at(-1)?.body;
    const seed = typeof body === 'object' && body && 'seed' in body ? Number(body.seed) : 0;
    const prompt = messages.map(({ content }) => content).join('\n');
    openStream(response);
    response.write(event(chunk({ content: answerTo(prompt, seed, domains) })) + event(chunk({}, 'stop')));
    response.write(event({ choices: [], usage: usage(300, 500) }));
    response.end(event('[DONE]'));
  };
}

function answerTo(prompt: string, seed: number, domains: readonly string[]): string {
  const found = taskIn(prompt, seed);
  if (!found) return 'I do not know this task.';
  const { domain, task } = found;
  if (prompt.includes('Verdict on response'))
    return `Verdict on response 1: ${prompt.includes(task.right) ? 'right' : 'wrong'}`;
  return domains.includes(domain) ? task.right : 'Answer: unknown to me';
}

/** All tasks of each seed that was used so far. Both workers get the same tasks. */
const made = new Map<number, { domain: string; question: string; task: MadeTask }[]>();

/** Finds the task by generating all tasks of the seed, because a server sees only the question. */
function taskIn(prompt: string, seed: number): { domain: string; task: MadeTask } | null {
  const tasks = made.get(seed) ?? allTasks(seed);
  made.set(seed, tasks);
  return tasks.find(({ question }) => prompt.includes(question)) ?? null;
}

/** Calls have 31 bits of a seed. */
function allTasks(seed: number) {
  return MEASURED_FAMILIES.flatMap(({ id: family, domain, levels }) =>
    Array.from({ length: levels }, (_, level) =>
      [seed, seed + 2 ** 31].map((each) => ({
        domain,
        question: measuredTask(family, level, each).question,
        task: GENERATED_TASKS.make({ family, level, seed: each }),
      })),
    ).flat(),
  );
}
