import { MixlabError } from '../../engine/errors.ts'

/** The script of demos, which is built beside the page. Throws MixlabError `option` where it is not there. */
export async function playerScript(): Promise<string> {
  const answer = await fetch('./player.js').catch(() => null)
  if (answer?.ok) return answer.text()
  throw new MixlabError('option', 'demo', 'its script is not there; npm run build makes it')
}
