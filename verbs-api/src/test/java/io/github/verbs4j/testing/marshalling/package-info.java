/**
 * Tests of verbs that no software device has: a stand-in for libibverbs, written in C and built by
 * the tests, is called through the same function pointers and symbols as the real one, and writes
 * down what it sees.
 *
 * <p>A test class is annotated {@link io.github.verbs4j.testing.marshalling.Marshalling}, is called
 * {@code …MarshallingTest} (the build runs those in a process of their own, where nothing else has
 * loaded libibverbs), and takes a {@link io.github.verbs4j.testing.marshalling.StandIn}:
 *
 * <pre>{@code
 * @Marshalling
 * class XrcDomainMarshallingTest {
 *     @Test
 *     void anonymous(StandIn c) {
 *         try (Context context = c.open();
 *                 XrcDomain domain = context.openXrcd()) {
 *             assertEquals("open_xrcd(comp_mask=0x3, …)", c.call("open_xrcd"));
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>To add verbs, add a file {@code topic.c} beside {@code srq.c} in the resources of this
 * package; nothing else has to know of it. It includes {@code standin.h}, which explains itself:
 *
 * <ul>
 *   <li>a function writes one line for each structure it gets, {@code saw("alloc_dm(length=%zu,
 *       …)")}, with every field, so that the test compares what C saw and not what Java wrote;
 *       pointers to objects are written with {@code name(pointer)}, as {@code pd#1}
 *   <li>it fails when the test called {@code c.fail("alloc_dm", errno)}: {@code if
 *       (failing("alloc_dm")) return NULL;}
 *   <li>it returns the numbers of the test: {@code answer("handle", 0)} is what {@code
 *       c.answer("handle", 7)} said
 *   <li>objects are made by {@code new_object("dm", sizeof(*dm))} and ended by {@code end_object};
 *       one that is left at the end of a test fails it
 *   <li>functions that verbs.h reaches through pointers are put into the context by {@code
 *       TOPIC(dm) { verbs->alloc_dm = alloc_dm; }}; exported ones are just defined under their name
 *       (undefine the macro if verbs.h has one)
 * </ul>
 *
 * <p>The files of the folder {@code mlx5} make a second library, a stand-in for libmlx5.
 */
package io.github.verbs4j.testing.marshalling;
