/* The largest singular values of a sparse matrix by SLEPc, and the space of their left vectors:
 *
 *   slepc_svd FILE K
 *
 * FILE, in the byte order of the machine: three int64 (rows, columns, entries), then int32 row, int32 column, double value for each
 * entry. Prints K lines with a value each, then K lines with the numbers of a left vector each. One process. */
#include <slepcsvd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
  int32_t row;
  int32_t column;
  double value;
};

static Mat read_matrix(const char* path) {
  FILE* file = fopen(path, "rb");
  int64_t head[3];
  if (file == NULL || fread(head, sizeof head, 1, file) != 1) exit(1);
  struct entry* entries = malloc((size_t)head[2] * sizeof *entries);
  PetscInt* lengths = calloc((size_t)head[0], sizeof *lengths);
  if (fread(entries, sizeof *entries, (size_t)head[2], file) != (size_t)head[2]) exit(1);
  for (int64_t i = 0; i < head[2]; ++i) ++lengths[entries[i].row];
  Mat matrix;
  MatCreateSeqAIJ(PETSC_COMM_SELF, (PetscInt)head[0], (PetscInt)head[1], 0, lengths, &matrix);
  for (int64_t i = 0; i < head[2]; ++i)
    MatSetValue(matrix, entries[i].row, entries[i].column, entries[i].value, INSERT_VALUES);
  MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY);
  free(entries);
  free(lengths);
  fclose(file);
  return matrix;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const PetscInt wanted = atoi(argv[2]);
  if (SlepcInitialize(NULL, NULL, NULL, NULL) != 0) return 1;
  Mat matrix = read_matrix(argv[1]);
  SVD svd;
  SVDCreate(PETSC_COMM_SELF, &svd);
  SVDSetOperators(svd, matrix, NULL);
  SVDSetType(svd, SVDTRLANCZOS);
  SVDSetDimensions(svd, wanted, PETSC_DEFAULT, PETSC_DEFAULT);
  SVDSetTolerances(svd, 1e-11, 10000);
  SVDSolve(svd);
  PetscInt found = 0;
  SVDGetConverged(svd, &found);
  if (found < wanted) return 3;
  Vec left;
  Vec right;
  MatCreateVecs(matrix, &right, &left);
  for (int vectors = 0; vectors < 2; ++vectors) {
    for (PetscInt i = 0; i < wanted; ++i) {
      PetscReal sigma = 0;
      SVDGetSingularTriplet(svd, i, &sigma, left, right);
      if (vectors == 0) {
        printf("%.17g\n", sigma);
        continue;
      }
      PetscInt size = 0;
      const PetscScalar* numbers = NULL;
      VecGetSize(left, &size);
      VecGetArrayRead(left, &numbers);
      for (PetscInt j = 0; j < size; ++j) printf("%.17g%c", numbers[j], j + 1 < size ? ' ' : '\n');
      VecRestoreArrayRead(left, &numbers);
    }
  }
  SVDDestroy(&svd);
  MatDestroy(&matrix);
  VecDestroy(&left);
  VecDestroy(&right);
  return SlepcFinalize() == 0 ? 0 : 1;
}
