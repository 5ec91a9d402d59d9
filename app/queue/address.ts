import { MixlabError } from '../../engine/errors.ts'

/** An address as it may be shown: without name and password. */
export function shownAddress(address: string): string {
  const { protocol, hostname, port } = new URL(address)
  return `${protocol}//${hostname}:${port || 6379}`
}

/** What is to be known of an address as it is shown to who joins; null where it is whole and reaches everybody. */
export function leftOut(address: string): string | null {
  const { username, password, hostname } = new URL(address)
  const words = [
    ...(username || password
      ? ['its password is left out here: redis://user:password@host, or all of that in MIXLAB_QUEUE']
      : []),
    ...(LOOPBACK.test(hostname) ? [`from elsewhere ${hostname} is reached through ssh`] : []),
  ]
  return words.length > 0 ? words.join('; ') : null
}

const LOOPBACK = /^(localhost|127\..*|\[::1\])$/

/** The address of a queue. Throws MixlabError `option`. */
export function queueAddress(text: string, option: string): string {
  if (/^rediss?:\/\/[^/]/.test(text) && URL.canParse(text)) return text
  throw new MixlabError(
    'option',
    option,
    `'${text.replace(/:[^:@/]*@/, ':...@')}', expected redis://host or rediss://host`,
  )
}
