import { currentPass, type TokenGrid } from '../scope.ts'

/** How so many tokens lie in the image; null where they are not its patches. */
export function tokenGridOf(tokens: number): TokenGrid | null {
  const { grid } = currentPass('tokens')
  return grid && grid[0] * grid[1] === tokens ? grid : null
}
