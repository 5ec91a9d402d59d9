/** What `'mixlab'` calls the built-in block of a name: `conv_mixer` is `convMixer`. */
export function exportOf(block: string): string {
  return block.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
