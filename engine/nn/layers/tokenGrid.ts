import { currentPass, type Grid } from '../scope.ts'

/** How so many tokens lie in the image; null where they are not its patches. */
export function tokenGridOf(tokens: number): Grid | null {
  const { grid } = currentPass('tokens')
  return grid && grid[0] * grid[1] === tokens ? grid : null
}
