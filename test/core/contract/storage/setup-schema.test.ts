import { describe, expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, entriesOf, SETTINGS } from '../../../../src/core/contract';
import { parsePreferences, parseWorkerSetup } from '../../../../src/core/contract/storage/setup-schema';

describe('parsePreferences', () => {
  it('keeps valid fields', () => {
    const mine = {
      ...DEFAULT_PREFERENCES,
      theme: 'dark',
      pool: ['a'],
      caps: { rounds: 1, calls: 2, tokens: 3, usd: 0.5 },
    } as const;
    expect(parsePreferences(mine)).toEqual(mine);
  });

  it('uses the default for each invalid field', () => {
    const broken = { theme: 'plaid', conductor: 'policy', caps: { rounds: 'many', calls: 3 }, temperature: 1 };
    expect(parsePreferences(broken)).toEqual({
      ...DEFAULT_PREFERENCES,
      conductor: 'policy',
      caps: { ...DEFAULT_PREFERENCES.caps, calls: 3 },
      temperature: 1,
    });
  });

  it.each([undefined, null, 'dark', 3, []])('uses the defaults for %j', (value) => {
    expect(parsePreferences(value)).toEqual(DEFAULT_PREFERENCES);
  });
});

describe('a setting in preferences', () => {
  const read = (name: keyof typeof SETTINGS, value: unknown) => parsePreferences({ [name]: value })[name];

  it.each(entriesOf(SETTINGS))(
    'has a valid default, and accepts the values that the form accepts: %s',
    (name, entry) => {
      const values = 'options' in entry ? entry.options : [entry.least, entry.most, ...(entry.optional ? [null] : [])];
      for (const value of [entry.default, ...values]) expect(read(name, value)).toBe(value);
    },
  );

  it.each([
    ['effort', 'huge'],
    ['approval', 'on'],
    ['candidates', 6],
    ['candidates', 1.5],
    ['candidates', null],
    ['planRetries', -1],
    ['planSeconds', 4],
    ['planSeconds', 3601],
    ['seed', 2 ** 32],
    ['maxTokens', 0],
    ['temperature', -0.1],
    ['temperature', '1'],
  ] as const)('has its default if a stored %s is %j', (name, value) => {
    expect(read(name, value)).toBe(SETTINGS[name].default);
  });

  it.each([
    ['temperature', 9],
    ['maxTokens', 1],
    ['maxTokens', 1e9],
    ['planTemperature', -3],
  ] as const)('keeps a stored %s of %j, although the form would not accept it', (name, value) => {
    expect(read(name, value)).toBe(value);
  });

  it('waits for confirmation only if a backup may not change it freely', () => {
    const restored = { recursion: true, effort: 'thorough', planSeconds: 9, temperature: 1 };
    expect(parsePreferences({ restored }).restored).toEqual({ recursion: true, effort: 'thorough' });
  });
});

describe('saved filters in preferences', () => {
  it('keep only the last of two filters with the same name', () => {
    const runFilters = [
      { name: 'same', query: 'q=old' },
      { name: 'other', query: 'q=other' },
      { name: 'same', query: 'q=new' },
    ];
    expect(parsePreferences({ runFilters }).runFilters).toEqual([
      { name: 'same', query: 'q=new' },
      { name: 'other', query: 'q=other' },
    ]);
  });
});

describe('saved pools in preferences', () => {
  it('are empty in preferences of older versions, and if one is invalid', () => {
    expect(parsePreferences({}).savedPools).toEqual([]);
    expect(parsePreferences({ savedPools: [{ name: '', workers: [] }] }).savedPools).toEqual([]);
    expect(parsePreferences({ savedPools: [{ name: 'x'.repeat(61), workers: [] }] }).savedPools).toEqual([]);
  });

  it('keep only the last of two pools with the same name', () => {
    const savedPools = ['a', 'b'].map((id) => ({ name: 'same', workers: [id] }));
    expect(parsePreferences({ savedPools }).savedPools).toEqual([{ name: 'same', workers: ['b'] }]);
  });
});

describe('the maximum number of output tokens in preferences', () => {
  it.each([-1, -1e9, 0, 0.5, Number.NaN])(
    'becomes the default if it is %s. If `preferences.restored` has such a value, `restored` becomes null',
    (maxTokens) => {
      expect(parsePreferences({ maxTokens }).maxTokens).toBe(DEFAULT_PREFERENCES.maxTokens);
      expect(parsePreferences({ restored: { maxTokens } }).restored).toBeNull();
    },
  );
});

describe('parseWorkerSetup', () => {
  const setup = {
    id: 'w1',
    name: 'Llama',
    mark: 'Ll',
    colour: 3,
    baseUrl: 'http://localhost:11434/v1',
    model: 'llama3',
    price: { input: 0, output: 0 },
    description: '',
    needsKey: false,
  };

  it('keeps a valid setup', () => {
    expect(parseWorkerSetup(setup)).toEqual(setup);
  });

  it('keeps valid values of `knownAs`, `domains` and `strengths`, and drops invalid ones', () => {
    const declared = { knownAs: null, domains: { maths: 0.9 }, strengths: { verify: 0.4 } };
    expect(parseWorkerSetup({ ...setup, ...declared })).toEqual({ ...setup, ...declared });
    const wrong = { knownAs: 5, domains: { maths: 90 }, strengths: { verify: -1 } };
    expect(parseWorkerSetup({ ...setup, ...wrong })).toEqual(setup);
  });

  it('replaces missing and invalid optional fields with defaults', () => {
    const { id, baseUrl, model } = setup;
    const bare = parseWorkerSetup({ id, baseUrl, model, colour: 40, price: 'cheap' });
    expect(bare).toEqual({ ...setup, name: 'llama3', mark: '··', colour: 1, price: null, needsKey: true });
  });

  it.each(['id', 'baseUrl', 'model'])('rejects a setup without %s', (field) => {
    expect(parseWorkerSetup({ ...setup, [field]: undefined })).toBeNull();
  });
});
