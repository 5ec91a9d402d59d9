/** Whether an adapter name is that of a graphics card emulated on the processor, which is slower than plain loops. */
export function isSoftware(adapter: string): boolean {
  return /swiftshader|llvmpipe|softpipe|lavapipe|software|basic render|microsoft basic/i.test(adapter)
}
