import { describe, expect, it } from 'vitest'
import { parseOff } from '../../../../engine/data/points/off-file.ts'

const parse = (text: string) => parseOff(new TextEncoder().encode(text), 'chair_0001.off')
const CORNERS = '0 0 0\n1 0 0\n1 1 0\n0 1 0\n'
const VERTICES = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]
const SQUARE = { vertices: Float64Array.from(VERTICES), triangles: [0, 1, 2, 0, 2, 3] }

describe('parseOff', () => {
  it.each([
    ['as most files of ModelNet have them', `OFF\n4 2 0\n${CORNERS}3 0 1 2\n3 0 2 3\n`],
    ['glued to the first line, as some files of ModelNet', `OFF4 2 0\n${CORNERS}3 0 1 2\n3 0 2 3\n`],
    ['on the first line', `OFF 4 2 0\n${CORNERS}3 0 1 2\n3 0 2 3\n`],
    ['without the number of edges', `OFF\n4 2\n${CORNERS}3 0 1 2\n3 0 2 3\n`],
  ])('reads counts %s', (_, text) => {
    expect(parse(text)).toEqual(SQUARE)
  })

  it.each([
    ['a face of four corners', `OFF\n4 1 4\n${CORNERS}4 0 1 2 3\n`],
    ['faces of fewer than three corners', `OFF\n4 5 0\n${CORNERS}0\n1 3\n3 0 1 2\n2 0 1\n3 0 2 3\n`],
    ['colours of faces', `OFF\n4 2 0\n${CORNERS}3 0 1 2 255 0 0\n3 0 2 3 0.1 0.2 0.3 1\n`],
    ['normals of vertices', `NOFF\n4 1 0\n${CORNERS.replaceAll('\n', ' 0 0 1\n')}4 0 1 2 3`],
    ['colours of vertices', `COFF\n4 1 0\n${CORNERS.replaceAll('\n', ' 255 0 0 255\n')}4 0 1 2 3`],
    ['comments and empty lines', `# a square\n\nOFF # here\n4 2 0\n\n${CORNERS}# faces\n3 0 1 2 # one\n3 0 2 3\n\n`],
    ['the line ends of Windows', `OFF\n4 1 0\n${CORNERS}4 0 1 2 3\n`.replaceAll('\n', '\r\n')],
    ['tabs, indents and exponents', `OFF\n4 1 0\n  0\t0 0e5\n1.0 -0 0\n+1 1E0 .0\n0 10e-1 0\n4  0 1\t2 3`],
  ])('reads %s', (_, text) => {
    const { vertices, triangles } = parse(text)
    expect(Array.from(vertices, (value) => value + 0)).toEqual(VERTICES)
    expect(triangles).toEqual(SQUARE.triangles)
  })

  it('reads a face of five corners as three triangles', () => {
    const { triangles } = parse(`OFF\n5 1 0\n${CORNERS}0 0.5 1\n5 4 0 1 2 3\n`)
    expect(triangles).toEqual([4, 0, 1, 4, 1, 2, 4, 2, 3])
  })

  it.each([
    ['an empty file', '', 'empty file'],
    ['nothing but a comment', '# OFF\n', "line 1: '', expected OFF"],
    ['another format', 'ply\nformat ascii 1.0\n', "line 1: 'ply', expected OFF"],
    ['four dimensions', '4OFF\n1 0 0\n0 0 0 0\n', "line 1: '4OFF', expected OFF"],
    ['the binary form', 'OFF BINARY\n', "line 1: 'BINARY', expected the numbers of vertices, faces and edges"],
    ['no counts', 'OFF\n', 'line 1: too short, expected the numbers of vertices, faces and edges'],
    ['half of the counts', 'OFF490\n', 'line 1: too short, expected the numbers of vertices, faces and edges'],
    ['a count that is no whole number', 'OFF\n4.5 2 0\n', 'line 2: 4.5, expected the numbers of vertices'],
    ['a negative count', 'OFF\n4 -2 0\n', 'line 2: -2, expected the numbers of vertices'],
    [
      'counts beyond the file',
      'OFF\n1000000000 2 0\n0 0 0\n',
      'line 2: 1000000000 vertices, more than 25 bytes can hold',
    ],
    [
      'a file cut off in its vertices',
      `OFF\n4 1 0\n${CORNERS.slice(0, 18)}`,
      'line 5: the file ends after 3 of 4 vertices',
    ],
    [
      'a file cut off in a vertex',
      `OFF\n4 1 0\n${CORNERS.slice(0, 21)}`,
      'line 6: too short, expected a vertex as x y z',
    ],
    ['a file cut off in its faces', `OFF\n4 2 0\n${CORNERS}3 0 1 2\n`, 'line 7: the file ends after 1 of 2 faces'],
    ['a file cut off in a face', `OFF\n4 1 0\n${CORNERS}3 0 1\n`, 'line 7: a face of 3 corners with 2 vertices'],
    ['a word for a number', 'OFF\n2 0 0\n0 0 0\n1 nan 1\n', "line 4: 'nan', expected a vertex as x y z"],
    ['an infinite coordinate', 'OFF\n1 0 0\n1 1e999 1\n', "line 3: '1e999', expected a vertex as x y z"],
    ['a vertex that is not there', `OFF\n4 1 0\n${CORNERS}3 0 1 4\n`, 'line 7: vertex 4, expected below 4'],
    ['a vertex before the first', `OFF\n4 1 0\n${CORNERS}3 0 1 -1\n`, 'line 7: -1, expected a vertex of a face'],
    [
      'more than it announced',
      `OFF\n4 1 0\n${CORNERS}3 0 1 2\n3 0 2 3\n`,
      'line 8: the file goes on after its last face',
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(`chair_0001.off: ${message}`)
  })
})
