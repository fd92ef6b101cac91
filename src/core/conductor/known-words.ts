/**
 * @file Describes in words what is known about a worker, for the Conductor's prompt. An example: `Measured here: 9 of 12 right;
 * maths 8 of 9. Published: maths 61, code 46.` Numbers without "of" are percentages. Results of graded runs (`Measured here`)
 * come first, because they matter most.
 */
import type { WorkerRecord } from '../analysis/worker-record';
import { DOMAINS, ROLES } from '../contract';

/** Sentences about a worker, without any text from the user or from a file. `''`: nothing is known about the worker. */
export function knownWords(record: WorkerRecord): string {
  const published = record.published?.domains ?? {};
  const sentences = [
    measuredWords(record),
    listWords('Declared', declaredFigures(record)),
    listWords(
      'Published',
      DOMAINS.flatMap((domain) => figure(domain, published[domain]?.score)),
    ),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function measuredWords(record: WorkerRecord): string {
  const { rate, count } = record.measured.overall;
  if (count === 0) return '';
  const { domain } = record;
  const own = record.inDomain(domain);
  const all = `${Math.round(rate * count)} of ${count} right`;
  if (own.runs === count) return `Measured here: ${domain} ${all}.`;
  return `Measured here: ${all}${own.runs === 0 ? '' : `; ${domain} ${own.right} of ${own.runs}`}.`;
}

function declaredFigures({ worker, declared: { domains = {}, strengths = {} } }: WorkerRecord): string[] {
  const byDomain = DOMAINS.flatMap((domain) => figure(domain, scaled(domains[domain])));
  // A simulated worker's description already states its strengths in roles.
  if (worker.kind === 'simulated') return byDomain;
  return [...byDomain, ...ROLES.flatMap((role) => figure(role, scaled(strengths[role])))];
}

function scaled(share: number | undefined): number | undefined {
  return share === undefined ? undefined : 100 * share;
}

function figure(name: string, percent: number | undefined): string[] {
  return percent === undefined ? [] : [`${name} ${Math.round(percent)}`];
}

function listWords(level: string, figures: readonly string[]): string {
  return figures.length === 0 ? '' : `${level}: ${figures.join(', ')}.`;
}
