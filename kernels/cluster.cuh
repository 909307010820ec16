/* cluster.cuh: blocks of threads that work together as a cluster, and send
   each other what they find: compute capability 9.0, from PTX; empty before.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_CLUSTER_CUH
#define GPULINALG_CLUSTER_CUH 1

#include <cstdint>

__device__ inline unsigned
shared_address (const void *p)
{
  return (unsigned) __cvta_generic_to_shared (p);
}

__device__ inline int
cluster_rank (void)
{
  unsigned r = 0;
#if __CUDA_ARCH__ >= 900
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
#endif
  return (int) r;
}
__device__ inline int
cluster_size (void)
{
  unsigned r = 1;
#if __CUDA_ARCH__ >= 900
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(r));
#endif
  return (int) r;
}

/* All threads of the cluster come; what they wrote is seen by all.  */
__device__ inline void
cluster_wait (void)
{
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;\n\t"
               "barrier.cluster.wait.acquire.aligned;" ::
                 : "memory");
#endif
}

/* Where the block of this RANK has what is at ADDRESS here.  */
__device__ inline unsigned
address_in (unsigned address, int rank)
{
  unsigned there = address;
#if __CUDA_ARCH__ >= 900
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(there)
               : "r"(address), "r"(rank));
#endif
  return there;
}

/* An arrival: ready once one thread has said how many bytes come, and they are
   there.  It can be used again and again; PARITY is that of how many times it
   was ready before.  */
__device__ inline void
arrival_init (uint64_t *arrival)
{
#if __CUDA_ARCH__ >= 900
  asm volatile(
    "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address (arrival))
    : "memory");
#endif
}
/* The other blocks may send from their next cluster_wait on.  */
__device__ inline void
arrivals_ready (void)
{
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
__device__ inline void
arrival_expect (uint64_t *arrival, int bytes)
{
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                 shared_address (arrival)),
               "r"(bytes)
               : "memory");
#endif
}
__device__ inline void
arrival_wait (uint64_t *arrival, int parity)
{
#if __CUDA_ARCH__ >= 900
  unsigned ready;
  do
    asm volatile("{\n\t.reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(ready)
                 : "r"(shared_address (arrival)), "r"(parity)
                 : "memory");
  while (!ready);
#endif
}

/* X goes to an address of another block, and its arrival counts it.  */
__device__ inline void
send (unsigned address, uint4 x, unsigned arrival)
{
#if __CUDA_ARCH__ >= 900
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"
               ".v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(address),
               "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w), "r"(arrival)
               : "memory");
#endif
}

#endif
