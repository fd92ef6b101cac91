/**
 * @file Determines the id of an imported dataset, and whether the dataset is confidential. A second import
 * of the same content gets the same id.
 */
import { sha256Hex, type BatchStore, type Dataset, type DatasetStore } from '../../contract';

export interface DatasetIdDependencies {
  readonly store: Pick<DatasetStore, 'get' | 'list'>;
  readonly batches: Pick<BatchStore, 'list'>;
}

/**
 * The id depends on the content. So a batch finds its dataset again after the user deletes the dataset and
 * imports it again. The dataset is confidential if `content` is marked as confidential, or if a stored dataset
 * or a batch's plan marks the same tasks as confidential. The mark of `content` alone is not enough, because
 * the user could remove it by renaming the file.
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
    // Older versions gave datasets random ids. If a batch's plan contains such an id for these tasks, the
    // dataset gets that id again.
    if (!(await store.get(dataset.id))) return { id: dataset.id, isConfidential };
  }
  // The id depends on `isConfidential`. So a public dataset never replaces a confidential one with the same tasks.
  return { id: sha256Hex(JSON.stringify([content.revision, isConfidential])).slice(0, 32), isConfidential };
}
