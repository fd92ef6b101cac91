import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { importPolicy } from '../../../src/app/state/policy-files';
import { FaultError } from '../../../src/core/contract';
import { keptPolicySchema } from '../../../src/core/contract/model/kept-policy-schema';
import { keptPolicy } from '../../fixtures/kept-policy';

const { checkpoint } = keptPolicy('shipped');
const MADE = { id: 'policy-1', madeAt: 1 };
const imported = (name: string) => importPolicy(new File(['{}'], name), () => checkpoint, MADE);

describe('the name of an imported policy', () => {
  test.each([
    ['mine.json', 'mine'],
    ['Mine.JSON', 'Mine'],
    ['.json', 'Imported policy'],
    ['kind\u202Enosj.json', 'kindnosj'],
    [`${'n'.repeat(300)}.json`, `${'n'.repeat(39)}…${'n'.repeat(15)}`],
  ])('from the file %j is %j', async (file, name) => {
    const policy = await imported(file);
    expect(policy.name).toBe(name);
    expect(z.parse(keptPolicySchema, policy)).toMatchObject({ name, origin: { kind: 'imported' } });
  });

  test('has no text-direction characters in the stored origin or in an error', async () => {
    expect((await imported('a\u202Eb.json')).origin).toEqual({ kind: 'imported', file: 'ab.json' });
    const refused = importPolicy(new File(['{}'], 'a\u202Eb.json'), () => null, MADE);
    await expect(refused).rejects.toThrow(FaultError);
    await expect(refused).rejects.toThrow(/^ab\.json is not a policy/);
  });
});
