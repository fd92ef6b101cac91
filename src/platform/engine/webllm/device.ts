/**
 * @file Detects that the GPU is lost. WebLLM logs the loss and unloads the model, but it neither
 * reports the loss nor exposes the device. Therefore this file intercepts the request for the
 * device. Nothing else in the Web Worker requests a device.
 */

/**
 * Watches the device that WebLLM will request. `lost` resolves with the reason if the device is
 * lost or out of memory.
 */
export function watchDevice(): { readonly lost: Promise<string> } {
  const lost = new Promise<string>((resolve) => {
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, descriptor) {
      const device = await requestDevice.call(this, descriptor);
      void device.lost.then(({ reason, message }) => resolve(message === '' ? reason : message));
      // If the GPU can't allocate a buffer, the model is incomplete, so this error counts as a loss.
      device.addEventListener('uncapturederror', ({ error }) => {
        if (error instanceof GPUOutOfMemoryError) resolve(`Out of GPU memory. ${error.message}`);
      });
      return device;
    };
  });
  return { lost };
}
