/**
 * @file Decides the id of an imported dataset, and whether the dataset is confidential. Importing the same content again gives
 * the same result.
 */
import { sha256Hex, type BatchStore, type Dataset, type DatasetStore } from '../../contract';

export interface DatasetIdDependencies {
  readonly store: Pick<DatasetStore, 'get' | 'list'>;
  readonly batches: Pick<BatchStore, 'list'>;
}

/**
 * The id depends on the content, so that batches find their dataset after it is imported again. The dataset is confidential if
 * the content is, or if a stored dataset or the plan of a batch has the same tasks and marks them as confidential. The second
 * rule is needed for an import whose name no longer shows that the tasks are confidential.
 */
export async function datasetIdentity(
  content: Pick<Dataset, 'revision' | 'isConfidential'>,
  { store, batches }: DatasetIdDependencies,
): Promise<Pick<Dataset, 'id' | 'isConfidential'>> {
  const hasSameTasks = ({ revision }: Pick<Dataset, 'revision'>) => revision === content.revision;
  const planned = (await batches.list()).flatMap(({ plan }) => plan.datasets.filter(hasSameTasks));
  const stored = (await store.list()).filter(hasSameTasks);
  const isConfidential = [content, ...planned, ...stored].some((each) => each.isConfidential);
  for (const dataset of planned) {
    if (dataset.isConfidential !== isConfidential) continue;
    // Older versions gave random ids. A batch finds its dataset only under the id in its plan, so that id is used again.
    if (!(await store.get(dataset.id))) return { id: dataset.id, isConfidential };
  }
  // The id depends on `isConfidential`, so that an equal dataset that is not confidential never replaces a confidential one.
  return { id: sha256Hex(JSON.stringify([content.revision, isConfidential])).slice(0, 32), isConfidential };
}
