/**
 * @file Draws abilities from the posterior. The log-odds of the abilities in the domains are taken as jointly normal. Their
 * covariance follows from that of the parameters by their derivatives.
 */
import { gaussian, seededRandom } from '../../contract';
import type { Cells } from './cells';
import { factorize, solveLower } from './cholesky';
import { curveOf, logistic } from './curve';
import { derivatives, linkedTo, LINKS, type Posterior } from './posterior';

const DRAWS = 2000;

/** @returns draws by worker and domain. Draw i of all abilities belongs together */
export function drawAbilities(cells: Cells, posterior: Posterior): readonly (readonly Float64Array[])[] {
  const { centers, covariance } = distribution(cells, posterior);
  const count = centers.length;
  factorize(covariance, count);
  const draws = Array.from(centers, () => new Float64Array(DRAWS));
  const random = seededRandom(1);
  const noise = new Float64Array(count);
  for (let draw = 0; draw < DRAWS; draw++) {
    // Each draw has a mirror image, which makes the means more exact.
    for (let index = 0; index < count; index++) noise[index] = draw % 2 === 0 ? gaussian(random) : -(noise[index] ?? 0);
    draws.forEach((values, row) => {
      let sum = centers[row] ?? 0;
      for (let column = 0; column <= row; column++)
        sum += (covariance[row * count + column] ?? 0) * (noise[column] ?? 0);
      values[draw] = logistic(sum);
    });
  }
  const domains = cells.domains.length;
  return cells.workers.map((_, worker) => draws.slice(worker * domains, (worker + 1) * domains));
}

interface Distribution {
  /** Log-odds by worker and domain. */
  readonly centers: Float64Array;
  readonly covariance: Float64Array;
}

function distribution(cells: Cells, { layout, values, factor, workerFamily }: Posterior): Distribution {
  const { size } = layout;
  const count = cells.workers.length * cells.domains.length;
  const abilities = new Float64Array(count);
  const rows = Array.from(abilities, () => new Float64Array(size));
  // The part of the variance that comes from the effects of workers in families, given the other parameters.
  const own = new Float64Array(count);
  const slopes = new Float64Array(LINKS);
  const mean = new Float64Array(LINKS);
  for (let worker = 0; worker < cells.workers.length; worker++) {
    cells.families.forEach(({ levels }, family) => {
      const domain = cells.domainOf[family] ?? 0;
      const row = worker * cells.domains.length + domain;
      const weight = 1 / cells.domainOf.filter((each) => each === domain).length / levels;
      const pair = worker * cells.families.length + family;
      const curve = curveOf(cells, layout, values, workerFamily.values[pair] ?? 0, worker, family);
      mean.fill(0);
      for (let level = 0; level < levels; level++) {
        abilities[row] = (abilities[row] ?? 0) + weight * derivatives(curve, level, levels, slopes);
        slopes.forEach((slope, link) => (mean[link] = (mean[link] ?? 0) + weight * slope));
      }
      const ease = mean[0] ?? 0;
      const precision = workerFamily.precision[pair] ?? 0;
      own[row] = (own[row] ?? 0) + (ease * ease) / precision;
      linkedTo(layout, cells, worker, family).forEach((index, link) => {
        const through = (ease * (workerFamily.links[pair * LINKS + link] ?? 0)) / precision;
        const target = rows[row];
        if (target) target[index] = (target[index] ?? 0) + (mean[link] ?? 0) - through;
      });
    });
  }
  // With precision = L·Lᵀ, the covariance of two abilities is the product of their rows divided by L.
  rows.forEach((row) => solveLower(factor, size, row));
  const covariance = new Float64Array(count * count);
  const toLogOdds = abilities.map((ability) => 1 / (ability * (1 - ability)));
  rows.forEach((one, first) => {
    rows.forEach((other, second) => {
      let sum = first === second ? (own[first] ?? 0) : 0;
      for (let index = 0; index < size; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
      covariance[first * count + second] = sum * (toLogOdds[first] ?? 0) * (toLogOdds[second] ?? 0);
    });
  });
  return { centers: abilities.map((ability) => Math.log(ability / (1 - ability))), covariance };
}
