import { describe, expect, test } from 'vitest';
import { entriesOf, SETTINGS } from '../../../src/core/contract';
import { settingLines } from '../../../src/app/shared/restored-words';
import { SETTING_WORDS, valueWords } from '../../../src/app/shared/setting-words';

describe('the words of settings', () => {
  test('name every value of a setting with options', () => {
    for (const [name, entry] of entriesOf(SETTINGS)) {
      const words = SETTING_WORDS[name];
      const named = 'options' in words ? Object.keys(words.options) : [];
      const values = 'options' in entry ? entry.options.map(String) : [];
      expect(named.toSorted(), name).toEqual(values.toSorted());
    }
  });

  test.each([
    ['access', 'fine', 'Any steps'],
    ['approval', false, 'Off'],
    ['candidates', 3, '3'],
    ['planTemperature', 0.25, '0.25'],
    ['planTemperature', undefined, 'Default'],
    ['planSeconds', 300, '5 min 00 s'],
    ['planSeconds', undefined, 'No limit'],
    ['maxTokens', 4096, '4,096'],
    ['dayUsd', 5, '$5.00'],
  ] as const)('of %s with the value %j are “%s”', (name, value, words) => {
    expect(valueWords(name, value)).toBe(words);
  });

  test('list the settings that a backup would change', () => {
    const restored = { recursionMode: 'always', planRetries: 4, dayUsd: null, conductor: null } as const;
    expect(settingLines(restored, () => undefined)).toEqual([
      { name: 'Conductor', value: 'automatic' },
      { name: 'Retries of an invalid plan', value: '4' },
      { name: 'Second round', value: 'always' },
      { name: 'Daily budget', value: 'no limit' },
    ]);
  });
});
