// SPDX-License-Identifier: Apache-2.0
package io.tidemark.events.model;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says of a record what the type of its events is called, and how urgent they are. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface EventType {

  /** The name, in dot-case; that of the record when it is left out. */
  String value() default "";

  /** The higher the sooner. */
  int priority() default Event.USUAL_PRIORITY;
}
