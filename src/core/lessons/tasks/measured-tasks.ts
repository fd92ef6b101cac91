/** @file The generated tasks of the measurement as tasks of a search. Their ids tell everything that makes them. */
import { mixSeed, randomIndex, seededRandom, type EvaluationTask } from '../../contract';
import type { UnitGraders } from '../../evaluation/batches/grading';
import { MEASURED_DOMAINS, type MeasuredDomain } from '../../measurement/ability/observation';
import { MEASURED_FAMILIES, measuredTask } from '../../measurement/families';
import type { MeasuredFamily, MeasuredTask } from '../../measurement/families/family';
import { domainFor, STAND_FOR } from '../../measurement/report/stand-for';

/** Maximum number of attempts to generate a task that no earlier task equals. */
const MOST_DRAWS = 200;

/**
 * Tasks of the families of these domains in turn, each of a random level. The same seed gives the same tasks. No task occurs twice.
 * Throws a `RangeError` if no new task is found.
 */
export function* measuredTasks(
  domains: readonly MeasuredDomain[],
  seed: number,
  count: number,
): Generator<EvaluationTask, void, void> {
  const families = MEASURED_FAMILIES.filter(({ domain }) => domains.includes(domain));
  const known = new Set<string>();
  for (let index = 0; index < count; index++) {
    const family = families[index % families.length];
    if (family) yield newTask(family, (attempt) => mixSeed('lessons', family.id, seed, index, attempt), known);
  }
}

function newTask(family: MeasuredFamily, seedOf: (attempt: number) => number, known: Set<string>): EvaluationTask {
  for (let attempt = 0; attempt < MOST_DRAWS; attempt++) {
    const own = seedOf(attempt);
    const made = measuredTask(family.id, randomIndex(seededRandom(own), family.levels), own);
    if (known.has(made.key)) continue;
    known.add(made.key);
    return taskOf(family, made, own);
  }
  throw new RangeError('No new task was found.');
}

const ID = /^measured:([a-z-]+):(\d+):(\d+)$/;

/** The task with an id of `measuredTasks`. `null`: the id is of another kind. */
export function measuredTaskById(id: string): EvaluationTask | null {
  const made = partsOf(id);
  return made && taskOf(made.family, measuredTask(made.family.id, made.level, made.seed), made.seed);
}

/** Whether a task with this id was generated, as a puzzle or as a task of the measurement. */
export function isGeneratedId(id: string): boolean {
  return ID.test(id) || id.startsWith('generated-');
}

/** The domains of the measurement that need the same skills as these tasks. All of them if there are none. */
export function measuredDomainsOf(tasks: Iterable<Pick<EvaluationTask, 'domain'>>): readonly MeasuredDomain[] {
  const found = new Set([...tasks].flatMap(({ domain }) => STAND_FOR[domain] ?? []));
  return found.size === 0 ? MEASURED_DOMAINS : MEASURED_DOMAINS.filter((domain) => found.has(domain));
}

/** The graders, with the rules of the families for these generated tasks. Other tasks are graded as before. */
export function withMeasuredGrader(graders: UnitGraders, tasks: Iterable<EvaluationTask>): UnitGraders {
  const ids = new Map([...tasks].flatMap(({ id, question }) => (ID.test(id) ? [[question, id] as const] : [])));
  return {
    checkGradable: (...given) => graders.checkGradable(...given),
    async graderFor(kind, profile, judge, room) {
      const usual = await graders.graderFor(kind, profile, judge, room);
      if (kind !== GRADER || ids.size === 0) return usual;
      return {
        async grade(task, answer, signal) {
          const made = partsOf(ids.get(task.question) ?? '');
          if (made) return made.family.check(measuredTask(made.family.id, made.level, made.seed), answer);
          if (!usual) throw new RangeError(`There is no grader ${kind}.`);
          return usual.grade(task, answer, signal);
        },
      };
    },
  };
}

/** The kind of grader that is nearest to the rules of the families. */
const GRADER = 'exact';

function taskOf({ id: family, label, domain }: MeasuredFamily, made: MeasuredTask, seed: number): EvaluationTask {
  const { question, reference, level } = made;
  const id = `measured:${family}:${level}:${seed}`;
  return { id, question, reference, grader: GRADER, domain: domainFor(domain) ?? 'knowledge', group: label };
}

function partsOf(
  id: string,
): { readonly family: MeasuredFamily; readonly level: number; readonly seed: number } | null {
  const [, name, level, seed] = ID.exec(id) ?? [];
  const family = MEASURED_FAMILIES.find((each) => each.id === name);
  return family && Number(level) < family.levels ? { family, level: Number(level), seed: Number(seed) } : null;
}
