import { describe, expect, test } from 'vitest';
import type { ConductorInfo } from '../../../src/core/contract';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import { pythonSentence } from '../../../src/app/conduct/python-words';

const model: ConductorInfo = { id: 'endpoint:w1', label: 'Qwen', kind: 'endpoint' };
const python = [{ kind: 'endpoint' }, { kind: 'python' }] as const;

describe('the sentence about Python', () => {
  test.each([
    { id: 'heuristic', label: 'Built in, by rules', kind: 'heuristic' },
    { id: 'policy', label: 'Built in', kind: 'policy' },
    { id: 'template:debate', label: 'Debate', kind: 'template' },
    withPolicyInfo('skeleton', model),
  ] as const)('says that $label never calls Python', (info) => {
    expect(pythonSentence(info, python)).toMatch(`${info.label} never calls Python.`);
  });

  test('is empty if the Conductor may call Python, Python is not in the pool, or there is no Conductor', () => {
    expect(pythonSentence(model, python)).toBe('');
    expect(pythonSentence(withPolicyInfo('ranking', model), python)).toBe('');
    expect(pythonSentence({ id: 'by-hand', label: 'You', kind: 'by-hand' }, python)).toBe('');
    expect(pythonSentence({ id: 'heuristic', label: 'Rules', kind: 'heuristic' }, [{ kind: 'endpoint' }])).toBe('');
    expect(pythonSentence(null, python)).toBe('');
  });
});
