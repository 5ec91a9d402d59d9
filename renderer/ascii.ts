import type { Plugin } from 'vite'

/**
 * Writes what scripts have beyond ASCII as escapes: for one such character V8 keeps two bytes of each, and takes longer
 * to decode and to parse them.
 */
export function ascii(): Plugin {
  return {
    name: 'ascii',
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) if (output.type === 'chunk') output.code = escaped(output.code)
    },
  }
}

/** A character with the backslash before it, or one beyond ASCII. */
const CHARACTER = /\\[\s\S]|[\x80-\uffff]/g

/** A script with `\uXXXX` for each UTF-16 code unit beyond ASCII, in texts, patterns and names of the basic plane alike. */
export function escaped(script: string): string {
  return script.replace(CHARACTER, (found) => {
    const unit = found.charCodeAt(found.length - 1)
    return unit < 0x80 ? found : `\\u${unit.toString(16).padStart(4, '0')}`
  })
}
