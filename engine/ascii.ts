/** A character with the backslash before it, or one beyond ASCII. */
const CHARACTER = /\\[\s\S]|[\x80-\uffff]/g

/**
 * A script with `\uXXXX` for each UTF-16 code unit beyond ASCII, in texts, patterns and names of the basic plane alike: for
 * one such character V8 keeps two bytes of each, and takes longer to decode and to parse them.
 */
export function escaped(script: string): string {
  return script.replace(CHARACTER, (found) => {
    const unit = found.charCodeAt(found.length - 1)
    return unit < 0x80 ? found : `\\u${unit.toString(16).padStart(4, '0')}`
  })
}

/** A plugin of Vite that writes the scripts of a bundle so. */
export const ascii = () => ({
  name: 'ascii',
  enforce: 'post' as const,
  generateBundle(_: unknown, bundle: Record<string, { type: 'chunk'; code: string } | { type: 'asset' }>) {
    for (const output of Object.values(bundle)) if (output.type === 'chunk') output.code = escaped(output.code)
  },
})
