/** @file Collects what the form for a new batch needs from the state of the app. */
import { isLocal, type Dataset } from '../../core/contract';
import type { Services } from '../services';
import type { AppState } from '../state/app-state.svelte';
import type { FormParts } from './evaluate-form.svelte';

export function formParts(services: Services, app: AppState, datasets: readonly Dataset[]): FormParts {
  const { current } = app.preferences;
  const conductors = services.conductors(app.workers.all, app.models.offered);
  return {
    datasets,
    workers: app.workers.offered,
    conductors: current.isPrivate ? conductors.filter(({ info }) => isLocal(info)) : conductors,
    preferences: current,
    services,
  };
}
