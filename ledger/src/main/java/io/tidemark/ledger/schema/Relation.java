// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a record that describes how an entity, the {@link Left} one, is related to another, the
 * {@link Right} one. Each end is given by its record, or by its name if there is no such record.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Relation {
  /** Returns the record of the entity at the left end. */
  Class<? extends Record> left() default Record.class;

  /** Returns the record of the entity at the right end. */
  Class<? extends Record> right() default Record.class;

  /** Returns the name of the entity at the left end, instead of its record. */
  String leftName() default "";

  /** Returns the name of the entity at the right end, instead of its record. */
  String rightName() default "";

  /** Returns the name of the type; that of the record unless given. */
  String name() default "";
}
