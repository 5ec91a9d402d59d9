import { MixlabError } from '../../errors.ts'
import type { Mesh } from './mesh.ts'
import { type TextLines, textLines } from './text-lines.ts'

/** Bytes of the shortest line of a vertex, `0 0 0`. */
const MIN_VERTEX_BYTES = 6

/**
 * Reads a mesh in the Object File Format: `OFF`, a line with the numbers of vertices, faces and edges, a line for each
 * vertex (x y z) and one for each face (its number of corners, then their vertices from 0 on). The counts may stand on
 * the first line too, also glued to it as in some files of ModelNet (`OFF490 518 0`). Colours and normals are passed
 * over; faces of more than three corners become fans of triangles, those of fewer are left out.
 * Throws MixlabError `data` with `path`, the name of the file, and the line.
 */
export function parseOff(bytes: Uint8Array, path: string): Mesh {
  if (bytes.length === 0) throw new MixlabError('data', path, 'empty file')
  const lines = textLines(bytes, path)
  const [vertexCount, faceCount] = readCounts(lines)
  // Before anything is made that large.
  if (vertexCount * MIN_VERTEX_BYTES > bytes.length) {
    throw lines.fail(`${vertexCount} vertices, more than ${bytes.length} bytes can hold`)
  }

  const vertices = new Float64Array(3 * vertexCount)
  for (let i = 0; i < vertexCount; i++) {
    const words = lines.next()
    if (!words) throw lines.fail(`the file ends after ${i} of ${vertexCount} vertices`)
    for (let axis = 0; axis < 3; axis++) vertices[3 * i + axis] = lines.number(words[axis], 'a vertex as x y z')
  }

  const triangles: number[] = []
  for (let i = 0; i < faceCount; i++) {
    const words = lines.next()
    if (!words) throw lines.fail(`the file ends after ${i} of ${faceCount} faces`)
    const corners = cornersOf(lines, words, vertexCount)
    for (let c = 2; c < corners.length; c++) {
      triangles.push(corners[0] as number, corners[c - 1] as number, corners[c] as number)
    }
  }
  if (lines.next()) throw lines.fail(`the file goes on after its last face`)
  return { vertices, triangles }
}

function readCounts(lines: TextLines): [vertices: number, faces: number] {
  const [first = '', ...more] = lines.next() ?? []
  const [header, glued] = /^(?:ST)?C?N?OFF(\d*)$/.exec(first) ?? []
  if (header === undefined) throw lines.fail(`'${first.slice(0, 40)}', expected OFF`)
  const given = glued ? [glued, ...more] : more
  const words = given.length > 0 ? given : (lines.next() ?? [])
  return [wholeNumber(lines, words[0], COUNTS), wholeNumber(lines, words[1], COUNTS)]
}

const COUNTS = 'the numbers of vertices, faces and edges'

function cornersOf(lines: TextLines, words: string[], vertexCount: number): number[] {
  const count = wholeNumber(lines, words[0], 'the number of corners of a face')
  if (count >= words.length) throw lines.fail(`a face of ${count} corners with ${words.length - 1} vertices`)
  return words.slice(1, count + 1).map((word) => {
    const vertex = wholeNumber(lines, word, 'a vertex of a face')
    if (vertex >= vertexCount) throw lines.fail(`vertex ${vertex}, expected below ${vertexCount}`)
    return vertex
  })
}

function wholeNumber(lines: TextLines, word: string | undefined, what: string): number {
  const value = lines.number(word, what)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw lines.fail(`${value}, expected ${what}`)
}
