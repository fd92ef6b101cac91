/** @file Stores preferences without the controls of the page. */
import type { Page } from '@playwright/test';
import type { Preferences } from '../../src/core/contract';

/** Stores these preferences, and keeps the others. The page must be open, and shows them only after it is opened again. */
export async function storePreferences(page: Page, fields: Partial<Preferences>): Promise<void> {
  await page.evaluate(async (fields) => {
    const result = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('The database gave no answer.'));
      });
    const database = await result(indexedDB.open('podium'));
    const transaction = database.transaction('preferences', 'readwrite');
    const preferences = transaction.objectStore('preferences');
    preferences.put({ ...(await result<object>(preferences.get('preferences'))), ...fields }, 'preferences');
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(new Error('The preferences were not stored.'));
    });
    database.close();
  }, fields);
}
