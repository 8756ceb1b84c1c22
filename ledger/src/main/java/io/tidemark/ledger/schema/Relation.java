// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A record that describes how an entity, the {@link Left} one, is related to another, the {@link
 * Right} one. Each end is given by its record, or by its name where there is no record at hand.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Relation {
  /** The record of the entity at the left end. */
  Class<? extends Record> left() default Record.class;

  /** The record of the entity at the right end. */
  Class<? extends Record> right() default Record.class;

  /** The name of the entity at the left end, instead of its record. */
  String leftName() default "";

  /** The name of the entity at the right end, instead of its record. */
  String rightName() default "";

  /** The name of the type; that of the record unless given. */
  String name() default "";
}
