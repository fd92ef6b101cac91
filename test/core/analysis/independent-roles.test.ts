import { describe, expect, it } from 'vitest';
import { checkWorkflow, CONDUCTOR_MAX_STEPS, ROLES } from '../../../src/core/contract';
import { INDEPENDENT_WORKFLOWS } from '../../fixtures/labelled-workflows';
import { printScore, scoreRoles } from '../../fixtures/role-scores';

const ALL = INDEPENDENT_WORKFLOWS.map(({ steps }) => steps);

describe('independently labelled workflows', () => {
  it('are such as a Conductor may write, of every role', () => {
    for (const { question, steps } of INDEPENDENT_WORKFLOWS) {
      expect(checkWorkflow({ steps }, { poolSize: 5, maxSteps: CONDUCTOR_MAX_STEPS }), question).toBeNull();
    }
    for (const role of ROLES) expect(ALL.flat().filter((step) => step.role === role).length).toBeGreaterThan(15);
  });

  // First scored at 193 of 262 with the place (95 % interval 68 to 79 %) and 175 without it; a rule may cost a few, not many.
  it('are read right three times in four', () => {
    const [placed, bare] = [scoreRoles(ALL, true), scoreRoles(ALL, false)];
    printScore('Independent set, wording and place', placed);
    printScore('Independent set, wording alone', bare);
    expect(placed.right).toBeGreaterThanOrEqual(188);
    expect(bare.right).toBeGreaterThanOrEqual(170);
  });
});
