import { MixlabError } from '../../engine/errors.ts'

/** An address as it may be shown: without name and password. */
export function shownAddress(address: string): string {
  const { protocol, hostname, port } = new URL(address)
  return `${protocol}//${hostname}:${port || 6379}`
}

/** The address of a queue. Throws MixlabError `option`. */
export function queueAddress(text: string, option: string): string {
  if (/^rediss?:\/\/[^/]/.test(text) && URL.canParse(text)) return text
  throw new MixlabError(
    'option',
    option,
    `'${text.replace(/:[^:@/]*@/, ':...@')}', expected redis://host or rediss://host`,
  )
}
