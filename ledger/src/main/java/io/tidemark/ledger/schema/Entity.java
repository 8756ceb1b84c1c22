// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a record that describes things, each with a {@link Key}. */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Entity {
  /** Returns the name of the type; that of the record unless given. */
  String name() default "";
}
