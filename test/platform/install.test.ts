import { expect, test } from 'vitest';
import { createInstall } from '../../src/platform/install';
import { holdInstallOffer } from '../../src/platform/install-offer';

function offerOf(outcome: 'accepted' | 'dismissed') {
  const prompt = () => Promise.resolve({ outcome });
  return Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
}

test('keeps the browser’s install offer for one use, and returns whether the user accepted it', async () => {
  const page = new EventTarget();
  const install = createInstall(holdInstallOffer(page));
  const seen: boolean[] = [];
  install.subscribe(() => seen.push(install.isOffered));
  expect(await install.install()).toBe(false);
  const offer = offerOf('dismissed');
  page.dispatchEvent(offer);
  expect(offer.defaultPrevented).toBe(true);
  expect(await install.install()).toBe(false);
  page.dispatchEvent(offerOf('accepted'));
  expect(await install.install()).toBe(true);
  expect(seen).toEqual([true, false, true, false]);
});

test('drops the install offer when the user installs Podium in another way', () => {
  const page = new EventTarget();
  const install = createInstall(holdInstallOffer(page));
  page.dispatchEvent(offerOf('accepted'));
  page.dispatchEvent(new Event('appinstalled'));
  expect(install.isOffered).toBe(false);
});
